/**
 * Claim: A client assertion past its minute, from the future, or for longer than a minute is refused.
 * Enforced by: vault/clients.ts, rs/client-authentication.ts, consent-ui/server/clients.ts
 */
import { attack } from '../support/attack.js';
import { expectUnauthenticated } from '../support/assertion-attack.js';

const now = (): number => Math.floor(Date.now() / 1000);

attack('vault, rs and consent-ui bound the life of an assertion', async ({ world }) => {
  await expectUnauthenticated(world, {
    expired: ({ client, aud }) =>
      client.assertion(aud, { claims: { iat: now() - 70, exp: now() - 10 } }),
    'from the future': ({ client, aud }) =>
      client.assertion(aud, { claims: { iat: now() + 30, exp: now() + 60 } }),
    'for an hour': ({ client, aud }) => client.assertion(aud, { claims: { exp: now() + 3600 } }),
    'for ever': ({ client, aud }) => client.assertion(aud, { claims: { exp: undefined } }),
    'since ever': ({ client, aud }) => client.assertion(aud, { claims: { iat: undefined } }),
    'as text': ({ client, aud }) => client.assertion(aud, { claims: { exp: String(now() + 60) } }),
    'in fractions': ({ client, aud }) => client.assertion(aud, { claims: { exp: now() + 30.5 } }),
  });
});
