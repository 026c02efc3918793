/**
 * Claim: A credential’s `alg` never chooses how it is verified: `none`, a MAC, a longer hash and RSA are refused (RFC 8725 sections 3.1 and 3.2).
 * Enforced by: rs/checks/check-credential-signature.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused } from '../support/credential-attack.js';
import { createHmac, createPublicKey } from 'node:crypto';
import { mintAnything } from '../support/taken-over-vault.js';
import type { Forge } from '../support/credential-attack.js';

const named =
  (alg: string) =>
  ({ key, claims }: Pick<Forge, 'key' | 'claims'>): string =>
    mintAnything(key, claims, { alg });

attack('the resource server refuses every algorithm but the key’s own', async ({ world }) => {
  await expectCredentialRefused(world, 'MalformedCredential', {
    none: named('none'),
    'none, unsigned': (forge) => named('none')(forge).replace(/[^.]+$/, 'AA'),
    None: named('None'),
    HS256: ({ key, claims }) => {
      const input = named('HS256')({ key, claims }).split('.').slice(0, 2).join('.');
      const secret = createPublicKey({ key: key.jwk, format: 'jwk' });
      const pem = secret.export({ type: 'spki', format: 'pem' });
      return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`;
    },
    ES384: named('ES384'),
    RS256: named('RS256'),
    EdDSA: named('EdDSA'),
    absent: ({ key, claims }) => mintAnything(key, claims, { alg: undefined }),
    'a list': ({ key, claims }) => mintAnything(key, claims, { alg: ['ES256'] }),
  });
});
