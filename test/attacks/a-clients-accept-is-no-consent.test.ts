/**
 * Claim: A client that answers every elicitation with `accept` releases nothing; only a signature does.
 * Enforced by: src/dispatcher/gate.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { rawModern } from '../support/raw-modern.js';

attack('accepting, again and again, runs nothing until the person signs', async ({ world }) => {
  const { stack, caller } = world;
  const token = tokenFor(stack, caller);
  const raw = rawModern(stack, token);
  const task_id = await world.newTask();
  const first = await raw.call('delete_task', { task_id });
  const second = await world.agent.call('delete_task', { task_id });
  expect(elicitationOf(second).url).toBe(first.url);
  for (const action of ['accept', 'approve']) {
    const accepted = rawModern(stack, token);
    const answer = accepted.call(
      'delete_task',
      { task_id },
      { inputResponses: { approval: { action, content: { approved: true, signature: 'x' } } } },
    );
    await expect(
      answer.then(
        ({ url }) => url,
        (error: unknown) => (error as { code: number }).code,
      ),
    ).resolves.toSatisfy((said) => said === first.url || said === -32_602);
  }
  expect(world.exists(task_id)).toBe(true);
  expect(await world.person.approve(first.url)).toMatchObject({ kind: 'done' });
  expect(structured(await world.agent.call('delete_task', { task_id }))).toEqual({
    deleted: task_id,
  });
});
