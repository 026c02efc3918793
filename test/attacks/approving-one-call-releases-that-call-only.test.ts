/**
 * Claim: Of several pending calls only the approved one runs: not the other arguments, not the other client’s.
 * Enforced by: src/dispatcher/consent-id.ts, src/dispatcher/gate.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { LegacyClient, elicitationOf, structured } from '../support/mcp-clients.js';
import { tokenFor } from '../support/direct-enrolment.js';

attack('two tasks and two clients pending, one approved, one deleted', async ({ world }) => {
  const { stack, caller } = world;
  const other = await LegacyClient.http(
    stack,
    tokenFor(stack, { ...caller, client_id: `${caller.client_id}-2` }),
  );
  const [first, second] = [await world.newTask(), await world.newTask()];
  const asked = {
    first: elicitationOf(await world.agent.call('delete_task', { task_id: first })),
    second: elicitationOf(await world.agent.call('delete_task', { task_id: second })),
    others: elicitationOf(await other.call('delete_task', { task_id: second })),
  };
  expect(new Set(Object.values(asked).map(({ id }) => id)).size).toBe(3);
  expect(await world.person.approve(asked.second.url)).toMatchObject({ kind: 'done' });
  expect(elicitationOf(await world.agent.call('delete_task', { task_id: first })).id).toBe(
    asked.first.id,
  );
  expect(elicitationOf(await other.call('delete_task', { task_id: second })).id).toBe(
    asked.others.id,
  );
  expect([world.exists(first), world.exists(second)]).toEqual([true, true]);
  expect(structured(await world.agent.call('delete_task', { task_id: second }))).toEqual({
    deleted: second,
  });
  expect([world.exists(first), world.exists(second)]).toEqual([true, false]);
  await other.close();
});
