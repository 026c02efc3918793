/**
 * Claim: No argument is coerced, defaulted or dropped between the agent, the person and the tool.
 * Enforced by: rs/checks/check-input.ts, src/dispatcher/catalogue.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import type { JsonObject } from '../../src/contract/json.js';
import { structured } from '../support/mcp-clients.js';

attack(
  'other types and extra members are refused before a person is asked, and at the resource server too',
  async ({ world }) => {
    const task_id = await world.newTask();
    for (const args of [
      { task_id: 1 },
      { task_id: [task_id] },
      { task_id: { id: task_id } },
      { task_id, force: true },
      { task_id: null },
      {},
      { Task_id: task_id },
    ]) {
      expect(structured(await world.agent.call('delete_task', args))).toMatchObject({
        status: 'refused',
        code: 'MalformedRequest',
        layer: 'dispatcher',
      });
      const payload = world.bridge.payload(world.caller, 'delete_task', args);
      const signed = world.signDirectly(payload);
      const credential = await world.bridge.credential(signed);
      const call = {
        command: 'delete_task',
        args: args as JsonObject,
        caller: world.caller,
        signed,
        credential,
      };
      expect(refusal(await world.bridge.execute(call))).toEqual({
        status: 400,
        code: 'MalformedRequest',
        layer: 'rs',
      });
    }
    expect(world.exists(task_id)).toBe(true);
    expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
  },
);
