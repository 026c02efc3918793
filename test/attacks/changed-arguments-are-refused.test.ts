/**
 * Claim: What runs is what was signed: other arguments or another command are refused.
 * Enforced by: rs/checks/check-args-bound.ts, rs/checks/check-command-bound.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('changed arguments are not what was approved: CredentialDrift, and only the approved task can be deleted', async () => {
  const call = await world.approvedDeletion();
  const other = await world.newTask();
  const drifted = [
    { task_id: other },
    { task_id: call.task_id, extra: 1 },
    {},
    { task_id: `${call.task_id} ` },
  ];
  for (const args of drifted) {
    expect(refusal(await world.execute({ ...call, args }))).toEqual({
      status: 403,
      code: 'CredentialDrift',
      layer: 'rs',
    });
  }
  expect(refusal(await world.execute({ ...call, command: 'update_task' }))).toMatchObject({
    code: 'CredentialDrift',
    layer: 'rs',
  });
  expect(world.exists(other)).toBe(true);
  expect((await world.execute(call)).status).toBe(200);
  expect(world.exists(call.task_id)).toBe(false);
});
