/**
 * Claim: Tokens and assertions travel in a POST body or a header, never in an address (RFC 9700 section 4.3).
 * Enforced by: vault/http/token-endpoint.ts, src/mcp/callers.ts
 */
import { expect } from 'vitest';
import { call } from '../../src/cli/http.js';
import { CLIENT_ASSERTION_TYPE } from '../../src/contract/wire.js';
import { attack } from '../support/attack.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { ServiceIdentity } from '../support/service-identity.js';
import { exchange, exchangeForm } from '../support/token-exchange.js';

attack('what stands in the address is read by nobody', async ({ world }) => {
  const { stack, caller } = world;
  const { issuer } = stack.configs.vault;
  const { signed } = await world.signedDeletion();
  const query = new URLSearchParams({
    ...exchangeForm(stack, signed),
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: new ServiceIdentity(stack, 'bridge').assertion(issuer),
  }).toString();
  expect((await call(`${issuer}/token?${query}`)).body).toMatchObject({ code: 'NotFound' });
  const posted = await call(`${issuer}/token?${query}`, { method: 'POST', form: {} });
  expect(posted).toMatchObject({ status: 401, body: { error: 'invalid_client', layer: 'vault' } });
  expect((await exchange(stack, signed)).status).toBe(200);

  const token = tokenFor(stack, caller);
  const asked = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  for (const name of ['access_token', 'token', 'authorization']) {
    const answer = await call(`${stack.mcpUrl}?${name}=${token}`, { method: 'POST', json: asked });
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'Unauthenticated', layer: 'bridge' },
    });
  }
});
