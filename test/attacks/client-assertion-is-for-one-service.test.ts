/**
 * Claim: An assertion for one service is refused by every other: what one received it cannot pass on (RFC 7523 section 3, RFC 9700).
 * Enforced by: vault/clients.ts, rs/client-authentication.ts, consent-ui/server/clients.ts
 */
import { attack } from '../support/attack.js';
import { expectUnauthenticated } from '../support/assertion-attack.js';

attack(
  'vault, rs and consent-ui each refuse an audience that is not theirs alone',
  async ({ world }) => {
    await expectUnauthenticated(world, {
      another: ({ client }) => client.assertion('http://another.example'),
      'a list with others': ({ client, aud }) => client.assertion([aud, 'http://another.example']),
      'a list of one': ({ client, aud }) => client.assertion([aud]),
      'a trailing slash': ({ client, aud }) => client.assertion(`${aud}/`),
      'a prefix': ({ client, aud }) => client.assertion(aud.slice(0, -1)),
      none: ({ client }) => client.assertion(undefined),
    });
  },
);
