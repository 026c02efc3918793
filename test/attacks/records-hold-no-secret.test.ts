/**
 * Claim: No record holds a token, a key, a signature, an argument or a person’s words.
 * Enforced by: src/store/record.ts, consent-ui/server/record.ts, vault/store/record.ts, rs/store/record.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { DOMAINS } from '../../src/cli/data-directory.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { elicitationOf } from '../support/mcp-clients.js';
import { recordDatabase } from '../support/record-database.js';

attack(
  'after approvals, refusals and executions none of it can be found in any record',
  async ({ world }) => {
    const { stack, caller } = world;
    const token = tokenFor(stack, caller);
    const secret = `secret-${caller.client_id}`;
    const payload = {
      ...world.bridge.payload(caller, 'delete_task', { task_id: secret }),
      binding_message: `read ${secret}`,
    };
    const signed = await world.sign(payload);
    const credential = await world.bridge.credential(signed);
    const call = { command: 'delete_task', args: payload.args, caller, signed, credential };
    expect((await world.bridge.execute(call)).status).toBe(200);
    expect((await world.bridge.execute(call)).status).toBe(409);
    expect((await world.bridge.execute({ ...call, credential: `${credential}x` })).status).toBe(
      400,
    );
    const asked = elicitationOf(await world.agent.call('delete_task', { task_id: secret }));
    await world.person.decline(asked.url, secret);
    await world.agent.call('delete_task', { task_id: secret });
    const secrets = [
      secret,
      token,
      credential,
      credential.split('.')[2] ?? '',
      signed.signature.signature,
    ];
    for (const domain of DOMAINS) {
      const db = recordDatabase(stack, domain);
      const text = JSON.stringify(db.prepare('SELECT data FROM record').all());
      db.close();
      expect(text, domain).toContain(caller.client_id);
      for (const needle of secrets)
        expect(text.includes(needle), `${domain}: ${needle}`).toBe(false);
    }
  },
);
