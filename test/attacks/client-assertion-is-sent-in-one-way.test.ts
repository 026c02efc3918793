/**
 * Claim: Text that is no assertion, in any disguise, authenticates nobody.
 * Enforced by: vault/clients.ts, rs/client-authentication.ts, consent-ui/server/clients.ts
 */
import { attack } from '../support/attack.js';
import { expectUnauthenticated } from '../support/assertion-attack.js';

attack('vault, rs and consent-ui refuse everything but one compact JWS', async ({ world }) => {
  await expectUnauthenticated(world, {
    nothing: () => 'x',
    dots: () => '..',
    'a changed signature': ({ client, aud }) => {
      const made = client.assertion(aud);
      return `${made.slice(0, -8)}${made.slice(-8) === 'AAAAAAAA' ? 'BBBBBBBB' : 'AAAAAAAA'}`;
    },
    'changed claims': ({ client, aud }) => {
      const [head = '', , made = ''] = client.assertion(aud).split('.');
      const [, body = ''] = client.assertion(aud).split('.');
      return `${head}.${body}.${made}`;
    },
    long: () => 'a'.repeat(5000),
  });
});
