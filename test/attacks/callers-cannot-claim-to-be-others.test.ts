/**
 * Claim: Who calls is what the token says: scopes, subject and client in arguments, `_meta` or headers are only text.
 * Enforced by: src/mcp/callers.ts, src/dispatcher/catalogue.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { rpc } from '../support/mcp-attack.js';

attack('an agent cannot smuggle scopes or another subject', async ({ world }) => {
  const { stack, caller } = world;
  const reader = { ...caller, client_id: `${caller.client_id}-reader`, scopes: ['tasks.read'] };
  const token = tokenFor(stack, reader);
  const claimed = { subject: 'victim@example.com', client_id: 'victim', scopes: ['tasks.write'] };
  const task_id = await world.newTask();
  const call = (params: object, headers = {}) =>
    rpc(stack, token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
  const honest = await call({ name: 'get_task', arguments: { task_id } });
  expect(honest.body).toMatchObject({ result: { structuredContent: { task: { id: task_id } } } });
  const smuggled = [
    await call({
      name: 'delete_task',
      arguments: { task_id },
      _meta: { caller: claimed, scopes: claimed.scopes },
    }),
    await call({ name: 'delete_task', arguments: { task_id }, caller: claimed }),
    await call(
      { name: 'delete_task', arguments: { task_id } },
      { 'x-scopes': 'tasks.write', 'x-client-id': 'victim' },
    ),
  ];
  for (const { body } of smuggled) {
    expect(body).toMatchObject({
      result: { structuredContent: { code: 'Unauthorized', layer: 'dispatcher' } },
    });
  }
  const asArgument = await call({ name: 'get_task', arguments: { task_id, caller: claimed } });
  expect(asArgument.body).toMatchObject({
    result: { structuredContent: { code: 'MalformedRequest', layer: 'dispatcher' } },
  });
  expect(world.exists(task_id)).toBe(true);
});
