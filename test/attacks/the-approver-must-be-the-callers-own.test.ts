/**
 * Claim: An enrolled person cannot approve what is done for somebody else, unless policy says so: at vault and resource server each by its own.
 * Enforced by: vault/checks/check-policy.ts, rs/checks/check-approver-policy.ts
 */
import { expect } from 'vitest';
import { AttackWorld, refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';
import { exchange } from '../support/token-exchange.js';

attack('another’s valid signature is PolicyDenied twice over', async ({ world }) => {
  const mallory = await AttackWorld.on(world.stack);
  const task_id = await world.newTask();
  const args = { task_id };
  const payload = {
    ...world.bridge.payload(world.caller, 'delete_task', args),
    approver_id: mallory.caller.subject,
  };
  const signed = mallory.signDirectly(payload);
  const { body } = await exchange(world.stack, signed, { requested_subject: world.caller.subject });
  expect(body).toMatchObject({ error: 'access_denied', code: 'PolicyDenied', layer: 'vault' });
  const credential = mintAnything(mintKeyOf(world.stack), claimsFor(world.stack, signed));
  const call = { command: 'delete_task', args, caller: world.caller, signed, credential };
  expect(refusal(await world.bridge.execute(call))).toEqual({
    status: 403,
    code: 'PolicyDenied',
    layer: 'rs',
  });
  expect(world.exists(task_id)).toBe(true);
  expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
  await mallory.close();
});
