/**
 * Claim: A session id is bound to the caller it was given to; another caller’s looks like none at all.
 * Enforced by: src/mcp/legacy-session.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { INITIALIZE, rpc } from '../support/mcp-attack.js';

attack('a stolen, edited or made-up session id is not found', async ({ world }) => {
  const { stack, caller } = world;
  const token = tokenFor(stack, caller);
  const opened = await rpc(stack, token, INITIALIZE);
  const session = String(opened.headers['mcp-session-id']);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect((await rpc(stack, token, list, { 'mcp-session-id': session })).status).toBe(200);
  const other = tokenFor(stack, { ...caller, client_id: 'another' });
  const [sealed = '', tag = ''] = session.split('.');
  const edited = Buffer.from(
    Buffer.from(sealed, 'base64url').toString().replace('true', 'false'),
  ).toString('base64url');
  const answers = [
    await rpc(stack, other, list, { 'mcp-session-id': session }),
    await rpc(stack, token, list, { 'mcp-session-id': `${edited}x.${tag}` }),
    await rpc(stack, token, list, { 'mcp-session-id': `${sealed}.` }),
    await rpc(stack, token, list, { 'mcp-session-id': 'x' }),
    await rpc(stack, token, list, { 'mcp-session-id': `${session}.x` }),
  ];
  for (const { status, body } of answers) {
    expect({ status, body }).toMatchObject({ status: 404, body: { error: { code: -32_001 } } });
  }
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});
