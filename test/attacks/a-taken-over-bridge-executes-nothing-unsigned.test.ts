/**
 * Claim: Whoever has the bridge’s keys, database and sockets executes nothing a person did not sign, and reads no key of theirs.
 * Enforced by: rs/execute.ts, vault/mint.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { SoftwarePasskey } from '../../src/cli/software-passkey.js';
import { canonicalBytes } from '../../src/contract/canonical.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';
import { recordDatabase } from '../support/record-database.js';

attack(
  'with client key, gate key and database: proposals and old approvals, nothing more',
  async ({ world }) => {
    const { stack, caller } = world;
    const asked = elicitationOf(
      await world.agent.call('delete_task', { task_id: await world.newTask() }),
    );
    const db = recordDatabase(stack, 'bridge');
    const task_id = await world.newTask();
    const args = { task_id };
    // Its own database says approved, with a signature of the attacker's making.
    const payload = { ...world.bridge.payload(caller, 'delete_task', args), nonce: asked.id };
    const forged = {
      payload,
      signature: new SoftwarePasskey(stack.origin).sign(canonicalBytes(payload, 'client')),
    };
    db.prepare("UPDATE consent SET state = 'approved', signed = ? WHERE id = ?").run(
      JSON.stringify(forged),
      asked.id,
    );
    const victim = (
      JSON.parse(
        db
          .prepare<[string], { proposal: string }>('SELECT proposal FROM consent WHERE id = ?')
          .get(asked.id)?.proposal ?? '',
      ) as { payload: { args: { task_id: string } } }
    ).payload.args.task_id;
    db.close();
    expect(structured(await world.agent.call('delete_task', { task_id: victim }))).toMatchObject({
      status: 'refused',
      code: 'UnknownApprover',
      layer: 'vault',
    });
    for (const signed of [
      forged,
      { payload, signature: (await world.signedDeletion()).signed.signature },
    ]) {
      expect((await world.bridge.mint(signed)).status).toBe(400);
      const execution = { command: 'delete_task', args, caller, signed, credential: 'a.b.c' };
      expect(refusal(await world.bridge.execute(execution))).toMatchObject({
        layer: 'rs',
        code: 'MalformedCredential',
      });
    }
    expect([world.exists(task_id), world.exists(victim)]).toEqual([true, true]);
    expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
  },
);
