/**
 * Claim: An approval is for one agent.
 * Enforced by: rs/checks/check-client.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('an approval is for one agent: another client cannot use it', async () => {
  const call = await world.approvedDeletion();
  const caller = { ...world.caller, client_id: 'another-agent' };
  expect(refusal(await world.execute({ ...call, caller }))).toEqual({
    status: 403,
    code: 'WrongClient',
    layer: 'rs',
  });
  expect(world.exists(call.task_id)).toBe(true);
  expect((await world.execute(call)).status).toBe(200);
});
