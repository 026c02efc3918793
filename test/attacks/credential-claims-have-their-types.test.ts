/**
 * Claim: A claim that is missing or of another type makes a credential no credential.
 * Enforced by: rs/checks/check-credential-signature.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

attack('the resource server refuses claims it would have to guess about', async ({ world }) => {
  await expectCredentialRefused(world, 'MalformedCredential', {
    'no jti': withClaims({ jti: undefined }),
    'empty jti': withClaims({ jti: '' }),
    'long jti': withClaims({ jti: 'x'.repeat(129) }),
    'no exp': withClaims({ exp: undefined }),
    'exp as text': withClaims(({ exp }) => ({ exp: String(exp) })),
    'exp in fractions': withClaims(({ exp }) => ({ exp: Number(exp) + 0.5 })),
    'no iat': withClaims({ iat: undefined }),
    'no subject': withClaims({ sub: undefined }),
    'no details': withClaims({ authorization_details: undefined }),
    'no consent': withClaims({ consent: undefined }),
    'a consent with more': withClaims(({ consent }) => ({
      consent: { ...(consent as object), x: 1 },
    })),
  });
});
