/**
 * Claim: One credential executes at most once.
 * Enforced by: rs/checks/check-unused.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('one credential executes at most once: presented again it is CredentialReplay, in order and at once', async () => {
  const call = await world.approvedDeletion();
  expect((await world.execute(call)).status).toBe(200);
  expect(refusal(await world.execute(call))).toEqual({
    status: 409,
    code: 'CredentialReplay',
    layer: 'rs',
  });

  const raced = await world.approvedDeletion();
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.execute(raced)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(refusal(answer)).toEqual({ status: 409, code: 'CredentialReplay', layer: 'rs' });
  }
});
