/**
 * Claim: A token of another kind, made with the very client key, authenticates nobody (RFC 8725 section 3.11).
 * Enforced by: vault/clients.ts, rs/client-authentication.ts, consent-ui/server/clients.ts
 */
import { attack } from '../support/attack.js';
import { expectUnauthenticated } from '../support/assertion-attack.js';

attack('vault, rs and consent-ui take one typ', async ({ world }) => {
  await expectUnauthenticated(world, {
    JWT: ({ client, aud }) => client.assertion(aud, { header: { typ: 'JWT' } }),
    credential: ({ client, aud }) => client.assertion(aud, { header: { typ: 'at+jwt' } }),
    approver: ({ client, aud }) =>
      client.assertion(aud, { header: { typ: 'approver-authentication+jwt' } }),
    none: ({ client, aud }) => client.assertion(aud, { header: { typ: undefined } }),
  });
});
