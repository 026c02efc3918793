/**
 * Claim: After a person’s no the same call is answered with it for a while: an agent cannot nag until they slip.
 * Enforced by: src/dispatcher/next-step.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';

attack(
  'identical calls get the no, with the person’s reason, and no new question',
  async ({ world }) => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.agent.call('delete_task', { task_id }));
    expect(elicitationOf(await world.agent.call('delete_task', { task_id })).id).toBe(asked.id);
    expect(await world.person.decline(asked.url, 'not this one')).toMatchObject({ kind: 'done' });
    for (let i = 0; i < 5; i++) {
      expect(structured(await world.agent.call('delete_task', { task_id }))).toMatchObject({
        status: 'declined',
        by: 'approver',
        consent_id: asked.id,
        reason: 'not this one',
      });
    }
    expect(world.exists(task_id)).toBe(true);
    expect(await world.person.approve(asked.url)).toMatchObject({
      kind: 'refused',
      code: 'AlreadyDecided',
    });
  },
);
