/**
 * Claim: A credential issued after its deadline or in the future, or not valid yet, is refused.
 * Enforced by: rs/checks/check-lifetime.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

attack('the resource server refuses impossible times', async ({ world }) => {
  await expectCredentialRefused(world, 'MalformedCredential', {
    'iat after exp': withClaims(({ exp }) => ({ iat: Number(exp) + 1 })),
    'iat in the future': withClaims(({ iat }) => ({ iat: Number(iat) + 120 })),
    'nbf in the future': withClaims(({ iat }) => ({ nbf: Number(iat) + 120 })),
    'nbf as text': withClaims({ nbf: 'now' }),
  });
});
