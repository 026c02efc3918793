/**
 * Claim: A tool that is not on the table, or only inherited by name, does not exist: at the bridge and at the resource server.
 * Enforced by: src/dispatcher/policy.ts, rs/checks/check-command-known.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { structured } from '../support/mcp-clients.js';

attack('inherited, hidden and misspelt names run nothing anywhere', async ({ world }) => {
  const names = [
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'DELETE_TASK',
    'delete_task ',
    'delete_task\0',
    'tools/delete_task',
    '../delete_task',
    '*',
  ];
  for (const name of names) {
    await expect(world.agent.call(name, { task_id: 't-1' })).rejects.toMatchObject({
      code: -32_602,
    });
    const answer = await world.bridge.execute({ command: name, args: {}, caller: world.caller });
    expect.soft(refusal(answer), name).toEqual({ status: 404, code: 'UnknownTool', layer: 'rs' });
  }
  expect(structured(await world.agent.call('list_tasks'))).toHaveProperty('tasks');
});
