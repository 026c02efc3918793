/**
 * Claim: No answer with a token is stored by a cache or readable by another site’s script.
 * Enforced by: vault/http/token-endpoint.ts, vault/http/token-errors.ts, consent-ui/server/security-headers.ts
 */
import { expect } from 'vitest';
import { request } from 'undici';
import { attack } from '../support/attack.js';
import { ServiceIdentity } from '../support/service-identity.js';
import { exchangeForm } from '../support/token-exchange.js';
import { CLIENT_ASSERTION_TYPE } from '../../src/contract/wire.js';

attack('granted and refused alike are no-store, and no service answers CORS', async ({ world }) => {
  const { stack } = world;
  const { vault, rs } = stack.configs;
  const { signed } = await world.signedDeletion();
  const form = {
    ...exchangeForm(stack, signed),
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: new ServiceIdentity(stack, 'bridge').assertion(vault.issuer),
  };
  const origin = 'https://evil.example';
  const post = (fields: Record<string, string>) =>
    request(`${vault.issuer}/token`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  for (const [fields, status] of [
    [form, 200],
    [{ ...form, mint_id: 'x' }, 400],
    [{}, 401],
  ] as const) {
    const answer = await post(fields);
    await answer.body.dump();
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
  for (const url of [
    stack.mcpUrl,
    `${stack.origin}/`,
    `${vault.issuer}/token`,
    `${rs.resource}/v1/execute`,
  ]) {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const preflight = await request(url, { method: 'OPTIONS', headers });
    await preflight.body.dump();
    expect(preflight.statusCode, url).toBeGreaterThanOrEqual(400);
    expect(preflight.headers, url).not.toHaveProperty('access-control-allow-origin');
  }
});
