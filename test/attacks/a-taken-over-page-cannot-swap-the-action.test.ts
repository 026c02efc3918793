/**
 * Claim: A page that shows one action and passes on another gets the other refused: the bridge’s own frozen arguments are what runs.
 * Enforced by: src/dispatcher/gate.ts, rs/checks/check-args-bound.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { domainDir } from '../../src/cli/data-directory.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';

attack(
  'a payload swapped in the page’s database, and really signed, deletes nothing else',
  async ({ world }) => {
    const { stack } = world;
    const [wanted, victim] = [await world.newTask(), await world.newTask()];
    const asked = elicitationOf(await world.agent.call('delete_task', { task_id: wanted }));
    const db = new Database(join(domainDir(stack.data, 'consent-ui'), 'consent-ui.sqlite'), {
      timeout: 5000,
    });
    const row = db
      .prepare<[string], { proposal: string }>('SELECT proposal FROM consent WHERE id = ?')
      .get(asked.id);
    const swapped = row?.proposal.replace(`"task_id":"${wanted}"`, `"task_id":"${victim}"`);
    expect(swapped).not.toBe(row?.proposal);
    db.prepare('UPDATE consent SET proposal = ? WHERE id = ?').run(swapped, asked.id);
    db.close();
    expect(await world.person.approve(asked.url)).toMatchObject({ kind: 'done' });
    expect(structured(await world.agent.call('delete_task', { task_id: wanted }))).toMatchObject({
      status: 'refused',
      code: 'CredentialDrift',
    });
    expect([world.exists(wanted), world.exists(victim)]).toEqual([true, true]);
    const honest = elicitationOf(await world.agent.call('delete_task', { task_id: victim }));
    expect(await world.person.approve(honest.url)).toMatchObject({ kind: 'done' });
    expect(structured(await world.agent.call('delete_task', { task_id: victim }))).toEqual({
      deleted: victim,
    });
  },
);
