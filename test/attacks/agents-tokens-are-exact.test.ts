/**
 * Claim: An unknown, cut, revoked or expired token is nobody’s; there is no anonymous caller.
 * Enforced by: src/store/tokens.ts, src/mcp/callers.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { rpc } from '../support/mcp-attack.js';

attack('only the exact, living token is a caller, and all others look alike', async ({ world }) => {
  const { stack, caller } = world;
  const token = tokenFor(stack, caller);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect((await rpc(stack, token, list)).status).toBe(200);
  const revoked = await stack.operator(
    'bridge',
    'token',
    'issue',
    '--json',
    '--subject',
    caller.subject,
    '--client',
    'x',
    '--scopes',
    'tasks.read',
  );
  const { token: gone, token_id } = JSON.parse(revoked) as { token: string; token_id: string };
  await stack.operator('bridge', 'token', 'revoke', '--token-id', token_id);
  const expired = tokenFor(stack, caller, 0);
  const headers = [
    gone,
    expired,
    token.slice(0, -1),
    `${token}A`,
    token.toLowerCase(),
    'cb_',
    '../../etc',
  ].map((text) => `Bearer ${text}`);
  const answers = [];
  for (const authorization of [
    ...headers,
    '',
    'Bearer',
    `Basic ${token}`,
    token,
    `Bearer ${token} ${token}`,
  ]) {
    answers.push(await rpc(stack, token, list, { authorization }));
  }
  for (const { status, body, headers: answered } of answers) {
    expect({ status, body }).toEqual({
      status: 401,
      body: expect.objectContaining({ code: 'Unauthenticated', layer: 'bridge' }),
    });
    expect(answered['www-authenticate']).toMatch(/^Bearer/);
  }
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});
