/**
 * Claim: The authorization server says what it does and does nothing else: no authorization endpoint, no other grant, no shared secret (RFC 8414, RFC 9700).
 * Enforced by: vault/http/metadata.ts
 */
import { expect } from 'vitest';
import { call } from '../../src/cli/http.js';
import { attack } from '../support/attack.js';

attack('metadata and key set are exact, and the set holds public keys only', async ({ world }) => {
  const { issuer } = world.stack.configs.vault;
  const { body } = await call(`${issuer}/.well-known/oauth-authorization-server`);
  expect(body).toEqual({
    issuer,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256'],
    authorization_details_types_supported: ['consent_bridge_action'],
  });
  for (const path of ['authorize', 'introspect', 'revoke', 'register', 'userinfo', 'device']) {
    expect((await call(`${issuer}/${path}`)).status).toBe(404);
  }
  const { keys } = (await call(`${issuer}/.well-known/jwks.json`)).body as { keys: object[] };
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  }
});
