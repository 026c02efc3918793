/**
 * Claim: A credential past its deadline, give or take 30 seconds, executes nothing.
 * Enforced by: rs/checks/check-lifetime.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

attack('the resource server refuses an expired credential', async ({ world }) => {
  await expectCredentialRefused(world, 'CredentialExpired', {
    'a minute ago': withClaims(({ iat }) => ({ iat: Number(iat) - 120, exp: Number(iat) - 60 })),
    'at the edge of the skew': withClaims(({ iat }) => ({
      iat: Number(iat) - 120,
      exp: Number(iat) - 31,
    })),
    'in 1970': withClaims({ iat: 1, exp: 2 }),
  });
});
