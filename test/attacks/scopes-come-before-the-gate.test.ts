/**
 * Claim: A caller without the scope is refused before any person is asked, by bridge and resource server each from its own table.
 * Enforced by: src/dispatcher/dispatch.ts, rs/checks/check-scopes.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { LegacyClient, structured } from '../support/mcp-clients.js';
import { tokenFor } from '../support/direct-enrolment.js';

attack(
  'an unscoped caller reaches neither gate nor tool, even with a good approval',
  async ({ world }) => {
    const { stack, caller } = world;
    const reader = { ...caller, client_id: `${caller.client_id}-reader`, scopes: ['tasks.read'] };
    const agent = await LegacyClient.http(stack, tokenFor(stack, reader));
    const task_id = await world.newTask();
    expect(structured(await agent.call('get_task', { task_id }))).toHaveProperty('task');
    expect(structured(await agent.call('delete_task', { task_id }))).toMatchObject({
      status: 'unauthorized',
      code: 'Unauthorized',
      layer: 'dispatcher',
      missing_scopes: ['tasks.write'],
    });
    const call = await world.approvedDeletion();
    for (const scopes of [
      [],
      ['tasks.read'],
      ['tasks.*'],
      ['TASKS.WRITE'],
      ['tasks.write '],
      ['tasks'],
    ]) {
      expect(refusal(await world.execute({ ...call, caller: { ...caller, scopes } }))).toEqual({
        status: 403,
        code: 'Unauthorized',
        layer: 'rs',
      });
    }
    expect((await world.execute(call)).status).toBe(200);
    await agent.close();
  },
);
