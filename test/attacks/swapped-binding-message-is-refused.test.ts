/**
 * Claim: What the person read cannot be swapped after they signed.
 * Enforced by: vault/checks/check-signature.ts, rs/checks/check-signed-bytes.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('what the human read cannot be swapped afterwards: vault and resource server each refuse another binding message', async () => {
  const { signed } = await world.signedDeletion();
  const swapped = {
    ...signed,
    payload: { ...signed.payload, binding_message: 'Archive the task' },
  };
  const minted = await world.bridge.mint(swapped);
  expect(minted.body).toMatchObject({ code: 'SignatureMismatch', layer: 'vault' });

  const call = await world.approvedDeletion();
  const atRs = {
    ...call.signed,
    payload: { ...call.signed.payload, binding_message: 'Archive the task' },
  };
  const answer = refusal(await world.execute({ ...call, signed: atRs }));
  expect(answer.layer).toBe('rs');
  expect(['SignatureMismatch', 'CredentialDrift']).toContain(answer.code);
  expect(world.exists(call.task_id)).toBe(true);
  expect((await world.bridge.mint(signed)).status).toBe(200);
  expect((await world.execute(call)).status).toBe(200);
});
