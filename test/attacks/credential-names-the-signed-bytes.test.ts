/**
 * Claim: A credential that names other signed bytes, another form or another consent executes nothing.
 * Enforced by: rs/checks/check-signed-bytes.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

const consent = (changes: object) => (claims: Record<string, unknown>) => ({
  consent: { ...(claims['consent'] as object), ...changes },
});

attack('the resource server compares the digest of bytes it rebuilt', async ({ world }) => {
  await expectCredentialRefused(world, 'SignatureMismatch', {
    'another hash': withClaims(consent({ hash: 'A'.repeat(43) })),
    'another form': withClaims(consent({ form: 1 })),
    'another consent': withClaims(consent({ nonce: 'another' })),
    'no consent': withClaims(consent({ nonce: undefined })),
  });
});
