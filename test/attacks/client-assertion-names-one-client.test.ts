/**
 * Claim: An assertion whose issuer and subject differ, or are nobody’s, authenticates nobody (RFC 7523 section 3).
 * Enforced by: vault/clients.ts, rs/client-authentication.ts, consent-ui/server/clients.ts
 */
import { attack } from '../support/attack.js';
import { expectUnauthenticated } from '../support/assertion-attack.js';

attack('vault, rs and consent-ui look the key up by the one client named', async ({ world }) => {
  await expectUnauthenticated(world, {
    'another subject': ({ client, aud }) => client.assertion(aud, { claims: { sub: 'admin' } }),
    'another issuer': ({ client, aud }) => client.assertion(aud, { claims: { iss: 'admin' } }),
    'an unknown client': ({ client, aud }) =>
      client.assertion(aud, { claims: { iss: 'admin', sub: 'admin' } }),
    inherited: ({ client, aud }) =>
      client.assertion(aud, { claims: { iss: 'constructor', sub: 'constructor' } }),
    'no issuer': ({ client, aud }) => client.assertion(aud, { claims: { iss: undefined } }),
    'no id': ({ client, aud }) => client.assertion(aud, { claims: { jti: undefined } }),
  });
});
