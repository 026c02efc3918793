/**
 * Claim: A credential in another issuer’s name is refused, though the key is right (RFC 8725 section 3.8).
 * Enforced by: rs/checks/check-issuer.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

attack('the resource server compares the issuer character for character', async ({ world }) => {
  await expectCredentialRefused(world, 'UnknownIssuer', {
    another: withClaims({ iss: 'https://evil.example' }),
    'a trailing slash': withClaims(({ iss }) => ({ iss: `${String(iss)}/` })),
    'another case': withClaims(({ iss }) => ({ iss: String(iss).toUpperCase() })),
  });
});
