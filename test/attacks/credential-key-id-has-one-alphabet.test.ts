/**
 * Claim: A `kid` that is a path, a query or no text at all is refused before it is looked up (RFC 8725 section 3.10).
 * Enforced by: rs/checks/check-credential-shape.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused } from '../support/credential-attack.js';
import { mintAnything } from '../support/taken-over-vault.js';
import type { Forge } from '../support/credential-attack.js';

const kid =
  (name: unknown) =>
  ({ key, claims }: Forge): string =>
    mintAnything(key, claims, { kid: name });

attack('the resource server refuses a kid that is no name', async ({ world }) => {
  await expectCredentialRefused(world, 'MalformedCredential', {
    path: kid('../../dev/null'),
    query: kid("' OR 1=1 --"),
    empty: kid(''),
    NUL: kid('a\0'),
    number: kid(1),
    absent: kid(undefined),
    long: kid('a'.repeat(129)),
  });
});
