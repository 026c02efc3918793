/**
 * Claim: A key the assertion itself brings or names is no client’s key (RFC 8725 section 3.10).
 * Enforced by: vault/clients.ts, rs/client-authentication.ts, consent-ui/server/clients.ts
 */
import { attack } from '../support/attack.js';
import { expectUnauthenticated } from '../support/assertion-attack.js';
import { generateJwk, publicJwk } from '../../src/cli/jwk.js';
import { ServiceIdentity } from '../support/service-identity.js';

const attacker = generateJwk('ES256');

attack('vault, rs and consent-ui verify with the configured key alone', async ({ world }) => {
  const keyOf = (id: 'bridge' | 'consent-ui') => new ServiceIdentity(world.stack, id).key;
  await expectUnauthenticated(world, {
    'another key': ({ client, aud }) => client.assertion(aud, { key: attacker }),
    'another key, named': ({ client, aud }) =>
      client.assertion(aud, { key: attacker, header: { kid: attacker.kid } }),
    'another key, brought': ({ client, aud }) =>
      client.assertion(aud, { key: attacker, header: { jwk: publicJwk(attacker) } }),
    'another key, at an address': ({ client, aud }) =>
      client.assertion(aud, { key: attacker, header: { jku: 'http://127.0.0.1:1/' } }),
    'the right key, brought': ({ client, aud }) =>
      client.assertion(aud, { header: { jwk: publicJwk(client.key) } }),
    'the right key, at an address': ({ client, aud }) =>
      client.assertion(aud, { header: { jku: 'http://127.0.0.1:1/' } }),
    'another service’s key': ({ client, aud }) =>
      client.assertion(aud, { key: keyOf(client.clientId === 'bridge' ? 'consent-ui' : 'bridge') }),
  });
});
