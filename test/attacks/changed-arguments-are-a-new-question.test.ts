/**
 * Claim: Arguments changed after approval, however slightly, ask the person anew.
 * Enforced by: src/dispatcher/consent-id.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';

attack(
  'the approved consent serves its own arguments only, in any member order',
  async ({ world }) => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.agent.call('delete_task', { task_id }));
    expect(await world.person.approve(asked.url)).toMatchObject({ kind: 'done' });
    for (const changed of [
      `${task_id} `,
      `${task_id}0`,
      task_id.toUpperCase(),
      `${task_id}\u200b`,
    ]) {
      const anew = elicitationOf(await world.agent.call('delete_task', { task_id: changed }));
      expect(anew.id).not.toBe(asked.id);
    }
    expect(world.exists(task_id)).toBe(true);
    expect(structured(await world.agent.call('delete_task', { task_id }))).toEqual({
      deleted: task_id,
    });
  },
);
