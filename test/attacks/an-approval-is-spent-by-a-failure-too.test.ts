/**
 * Claim: An action that ran and failed has used its approval: a tool’s error is no second try.
 * Enforced by: rs/store/executions.ts, rs/run.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';

attack('a failed deletion spends credential and signature alike', async ({ world }) => {
  const args = { task_id: 't-999999999' };
  const signed = world.signDirectly(world.bridge.payload(world.caller, 'delete_task', args));
  const credential = await world.bridge.credential(signed);
  const call = { command: 'delete_task', args, caller: world.caller, signed, credential };
  expect((await world.bridge.execute(call)).body).toMatchObject({
    status: 'failure',
    error: { code: 'NoSuchTask' },
  });
  expect(refusal(await world.bridge.execute(call))).toEqual({
    status: 409,
    code: 'CredentialReplay',
    layer: 'rs',
  });
  const again = mintAnything(mintKeyOf(world.stack), claimsFor(world.stack, signed));
  expect(refusal(await world.bridge.execute({ ...call, credential: again }))).toEqual({
    status: 409,
    code: 'SignatureReplay',
    layer: 'rs',
  });
});
