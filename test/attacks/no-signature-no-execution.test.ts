/**
 * Claim: No human signature, no execution.
 * Enforced by: rs/checks/check-approval-present.ts, rs/execute.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('no human signature, no execution: a gated command without an approval, or with half of one, is refused', async () => {
  const honest = await world.approvedDeletion();
  expect((await world.execute(honest)).status).toBe(200);
  expect(world.exists(honest.task_id)).toBe(false);

  const { task_id, signed, credential, ...call } = await world.approvedDeletion();
  const args = { task_id };
  const without = [
    await world.bridge.execute({ command: 'delete_task', args, caller: world.caller }),
    await world.bridge.execute({ command: 'delete_task', args, caller: world.caller, credential }),
    await world.bridge.execute({ command: 'delete_task', args, caller: world.caller, signed }),
  ];
  for (const answer of without)
    expect(refusal(answer)).toEqual({ status: 403, code: 'ApprovalRequired', layer: 'rs' });
  expect(world.exists(task_id)).toBe(true);
  expect((await world.execute({ ...call, signed, credential })).status).toBe(200);
});
