/**
 * Claim: A token that is revoked while its call waits for the person runs nothing, though the person then signs.
 * Enforced by: src/dispatcher/gate.ts, src/mcp/callers.ts
 */
import { expect } from 'vitest';
import { issueToken } from '../../src/cli/operator.js';
import { attack } from '../support/attack.js';
import { type RawModern, rawModern } from '../support/raw-modern.js';

const APPROVAL = { approval: { action: 'accept' } };

attack('a stolen token that was revoked in time is worth nothing', async ({ world }) => {
  const { stack, caller } = world;
  const { subject, client_id: clientId, scopes } = caller;
  const issued = await issueToken(stack.data, { subject, clientId, scopes, ttlSeconds: 600 });
  const raw = rawModern(stack, issued.token);

  const honest = await waiting(raw, await world.newTask());
  await world.person.approve(honest.url);
  expect((await honest.answer).result['structuredContent']).toEqual({ deleted: honest.task_id });
  expect(world.exists(honest.task_id)).toBe(false);

  const stolen = await waiting(raw, await world.newTask());
  await stack.operator('bridge', 'token', 'revoke', '--token-id', issued.tokenId);
  await world.person.approve(stolen.url);
  expect((await stolen.answer).result['structuredContent']).toMatchObject({
    status: 'refused',
    code: 'Unauthenticated',
    layer: 'bridge',
  });
  expect(world.exists(stolen.task_id)).toBe(true);
});

async function waiting(raw: RawModern, task_id: string) {
  const { url, requestState } = await raw.call('delete_task', { task_id });
  const options = { requestState, inputResponses: APPROVAL };
  const { answer } = await raw.callThatWaits('delete_task', { task_id }, options);
  return { task_id, url, answer };
}
