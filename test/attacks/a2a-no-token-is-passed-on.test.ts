/**
 * Claim: No agent passes a bearer token on: each hop has its own, and none is seen on another hop, in a task or in a record.
 * Enforced by: src/a2a/host/remote-agent.ts, src/a2a/agent/caller-user.ts, src/a2a/host/guarded-fetch.ts
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { domainDir } from '../../src/cli/data-directory.js';
import { A2aWorld } from '../support/a2a-world.js';
import { elicitationOf } from '../support/mcp-clients.js';

let world: A2aWorld;
beforeAll(async () => {
  world = await A2aWorld.open(2);
});
afterAll(() => world.close());

it('through a whole approval, each token stays on its own wire and out of every store', async () => {
  const task_id = await world.newTask();
  const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
  await world.person.approve(asked.url);
  await world.host.call(world.tool, { task_id });
  expect(world.exists(task_id)).toBe(false);

  const tokens = world.wires.map(({ passed }) => [
    ...new Set(passed.flatMap(({ authorization }) => authorization ?? [])),
  ]);
  expect(tokens.map(({ length }) => length)).toEqual([1, 1]);
  const bare = tokens.map(([token]) => token!.replace('Bearer ', ''));
  expect(new Set(bare).size).toBe(2);

  for (const [n, wire] of world.wires.entries())
    for (const { body, authorization } of wire.passed)
      for (const [m, token] of bare.entries())
        if (m !== n) expect(`${body} ${authorization ?? ''}`).not.toContain(token);

  for (const { data } of world.chain.agents)
    for (const store of ['a2a.db', 'a2a.db-wal', 'bridge.db', 'bridge.db-wal']) {
      const bytes = readFileSync(join(domainDir(data, 'bridge'), store), { flag: 'a+' }).toString(
        'latin1',
      );
      for (const token of bare) expect(bytes).not.toContain(token);
    }
});
