/**
 * Claim: The same JSON-RPC id with other content in one session is refused before any effect.
 * Enforced by: src/mcp/request-ids.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { INITIALIZE, rpc } from '../support/mcp-attack.js';

attack('a second request under a used id does nothing', async ({ world }) => {
  const { stack, caller } = world;
  const token = tokenFor(stack, caller);
  const opened = await rpc(stack, token, INITIALIZE);
  const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const create = (title: string) =>
    rpc(
      stack,
      token,
      {
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'create_task', arguments: { title } },
      },
      headers,
    );
  const first = await create(`first of ${caller.subject}`);
  expect(first.body).toMatchObject({ result: { structuredContent: { task: {} } } });
  expect(await create(`second of ${caller.subject}`)).toMatchObject({
    status: 400,
    body: { error: { code: -32_600 } },
  });
  const { body } = await rpc(
    stack,
    token,
    { jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 'list_tasks', arguments: {} } },
    headers,
  );
  expect(JSON.stringify(body)).toContain(`first of ${caller.subject}`);
  expect(JSON.stringify(body)).not.toContain(`second of ${caller.subject}`);
});
