/**
 * Claim: Once the resource server has pinned a person’s key, the vault can neither move it to another person nor bring a revoked one back.
 * Enforced by: rs/approver-directory.ts, rs/store/approver-store.ts
 */
import { expect } from 'vitest';
import { AttackWorld, refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { recordDatabase } from '../support/record-database.js';

attack(
  'rows rewritten in the vault’s directory change nothing at the resource server',
  async ({ world }) => {
    const { stack, caller } = world;
    expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
    const mallory = await AttackWorld.on(stack);
    expect((await mallory.execute(await mallory.approvedDeletion())).status).toBe(200);
    const db = recordDatabase(stack, 'vault');
    db.prepare('UPDATE approver_key SET approver_id = ? WHERE key_id = ?').run(
      caller.subject,
      mallory.person.passkey.keyId,
    );
    db.close();
    const task_id = await world.newTask();
    const payload = world.bridge.payload(caller, 'delete_task', { task_id });
    const signed = mallory.signDirectly(payload);
    const credential = await world.bridge.credential(signed);
    const call = { command: 'delete_task', args: { task_id }, caller, signed, credential };
    expect(refusal(await world.bridge.execute(call))).toEqual({
      status: 403,
      code: 'UnknownApprover',
      layer: 'rs',
    });
    expect(world.exists(task_id)).toBe(true);
    await mallory.close();
  },
);
