/**
 * Claim: A credential names this resource server alone.
 * Enforced by: rs/checks/check-audience.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('the audience is this resource server alone: a string or an array of one is accepted, a stranger beside it is not', async () => {
  const key = mintKeyOf(world.stack);
  const us = world.stack.configs.rs.resource;
  const present = async (
    aud: unknown,
  ): Promise<{ status: number; code: unknown; layer: unknown }> => {
    const { task_id, signed } = await world.signedDeletion();
    const credential = mintAnything(key, { ...claimsFor(world.stack, signed), aud });
    return refusal(
      await world.bridge.execute({
        command: 'delete_task',
        args: { task_id },
        caller: world.caller,
        signed,
        credential,
      }),
    );
  };
  expect(await present(us)).toMatchObject({ status: 200 });
  expect(await present([us])).toMatchObject({ status: 200 });
  for (const aud of [
    [us, 'https://evil.example'],
    ['https://evil.example', us],
    'https://evil.example',
    [us, us],
    [],
  ]) {
    expect(await present(aud)).toMatchObject({ status: 403, code: 'WrongAudience', layer: 'rs' });
  }
  expect((await present(7)).code).toBe('MalformedCredential');
});
