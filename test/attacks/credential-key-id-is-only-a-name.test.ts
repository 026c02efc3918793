/**
 * Claim: A `kid` is looked up in the published set and nowhere else: no path, no query, no inherited name (RFC 8725 section 3.10).
 * Enforced by: rs/checks/check-credential-signature.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused } from '../support/credential-attack.js';
import { mintAnything } from '../support/taken-over-vault.js';
import type { Forge } from '../support/credential-attack.js';

const kid =
  (name: string) =>
  ({ key, claims }: Forge): string =>
    mintAnything(key, claims, { kid: name });

attack('the resource server refuses a kid it does not know', async ({ world }) => {
  await expectCredentialRefused(world, 'UnknownIssuer', {
    unknown: kid('evil'),
    'another case': ({ key, claims }) =>
      mintAnything(key, claims, { kid: key.keyId.toUpperCase() }),
    inherited: kid('constructor'),
    prototype: kid('__proto__'),
  });
});
