/**
 * Claim: A client assertion is ES256 and nothing else: `none`, a MAC with the public key, another curve are refused (RFC 8725 section 3.1).
 * Enforced by: vault/clients.ts, rs/client-authentication.ts, consent-ui/server/clients.ts
 */
import { attack } from '../support/attack.js';
import { expectUnauthenticated } from '../support/assertion-attack.js';
import { createHmac, createPublicKey } from 'node:crypto';

attack('vault, rs and consent-ui pin the algorithm to the client’s key', async ({ world }) => {
  await expectUnauthenticated(world, {
    none: ({ client, aud }) => client.assertion(aud, { header: { alg: 'none' } }),
    'none, unsigned': ({ client, aud }) =>
      client.assertion(aud, { header: { alg: 'none' } }).replace(/[^.]+$/, ''),
    'HS256 with the public key': ({ client, aud }) => {
      const input = client
        .assertion(aud, { header: { alg: 'HS256' } })
        .split('.')
        .slice(0, 2)
        .join('.');
      const pem = createPublicKey({ key: client.key, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      });
      return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`;
    },
    ES384: ({ client, aud }) => client.assertion(aud, { header: { alg: 'ES384' } }),
    EdDSA: ({ client, aud }) => client.assertion(aud, { header: { alg: 'EdDSA' } }),
  });
});
