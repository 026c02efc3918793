/**
 * Claim: A `requestState` is good for the call and the caller it was made for, unedited; any other is refused before dispatch.
 * Enforced by: src/mcp/request-state.ts, src/mcp/call-tool.ts, src/mcp/raw-message.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { rawModern } from '../support/raw-modern.js';

attack(
  'edited, borrowed, re-aimed or malformed state is -32602 and runs nothing',
  async ({ world }) => {
    const { stack, caller } = world;
    const mine = rawModern(stack, tokenFor(stack, caller));
    const other = rawModern(stack, tokenFor(stack, { ...caller, client_id: 'another' }));
    const [task_id, victim] = [await world.newTask(), await world.newTask()];
    const asked = await mine.call('delete_task', { task_id });
    const inputResponses = { approval: { action: 'accept' } };
    const { requestState } = asked;
    const refused = { code: -32_602 };
    await expect(
      other.call('delete_task', { task_id }, { requestState, inputResponses }),
    ).rejects.toMatchObject(refused);
    await expect(
      mine.call('delete_task', { task_id: victim }, { requestState, inputResponses }),
    ).rejects.toMatchObject(refused);
    await expect(
      mine.call('update_task', { task_id }, { requestState, inputResponses }),
    ).rejects.toMatchObject(refused);
    for (const state of [`${requestState}x`, requestState.slice(1), 'x', '', 7, null, {}, []]) {
      await expect(
        mine.call('delete_task', { task_id }, { requestState: state, inputResponses }),
      ).rejects.toMatchObject(refused);
    }
    for (const responses of [[], 'accept', 7, null]) {
      await expect(
        mine.call('delete_task', { task_id }, { requestState, inputResponses: responses }),
      ).rejects.toMatchObject(refused);
    }
    expect(await world.person.approve(asked.url)).toMatchObject({ kind: 'done' });
    const done = await mine.call('delete_task', { task_id }, { requestState, inputResponses });
    expect(done.result).toMatchObject({ structuredContent: { deleted: task_id } });
    expect(world.exists(victim)).toBe(true);
  },
);
