/**
 * Claim: A credential’s header can bring no key, no address of one, and no rule of its own (RFC 8725 section 3.10).
 * Enforced by: rs/checks/check-credential-shape.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused } from '../support/credential-attack.js';
import { mintAnything } from '../support/taken-over-vault.js';
import type { Forge } from '../support/credential-attack.js';

const having =
  (header: Record<string, unknown>) =>
  ({ key, claims }: Forge): string =>
    mintAnything(key, claims, header);

attack('the resource server refuses any header member but alg, typ and kid', async ({ world }) => {
  await expectCredentialRefused(world, 'MalformedCredential', {
    jwk: having({ jwk: { kty: 'EC' } }),
    jku: having({ jku: 'http://127.0.0.1:1/' }),
    x5u: having({ x5u: 'http://127.0.0.1:1/' }),
    x5c: having({ x5c: ['MA=='] }),
    crit: having({ crit: ['exp'] }),
    b64: having({ b64: false }),
    zip: having({ zip: 'DEF' }),
    cty: having({ cty: 'JWT' }),
    unknown: having({ extra: true }),
  });
});
