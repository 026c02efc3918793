/** The host side: a bridge with an MCP client, as a client of one remote agent, however it learns that a task moved. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainDir } from '../../src/cli/data-directory.js';
import { A2aWorld } from '../support/a2a-world.js';
import { LegacyClient, NO_ELICITATION, elicitationOf, structured } from '../support/mcp-clients.js';

type Updates = 'stream' | 'poll' | 'push';

function using(
  updates: Updates,
  legacy = false,
): (n: number, a2a: Record<string, unknown>) => void {
  return (n, a2a) => {
    const agents = a2a['agents'] as Record<string, unknown>[] | undefined;
    if (agents !== undefined) Object.assign(agents[0]!, { updates, legacy });
    if (n === 1) Object.assign(a2a['serve'] as object, { legacy });
  };
}

/** The state in which the host keeps its newest remote call, read from its own database. */
function kept(world: A2aWorld): string {
  const db = new Database(join(domainDir(world.chain.first.data, 'bridge'), 'a2a.db'), {
    readonly: true,
  });
  try {
    return db
      .prepare<[], { state: string }>(
        'SELECT state FROM remote_call ORDER BY changed_at DESC, rowid DESC LIMIT 1',
      )
      .get()!.state;
  } finally {
    db.close();
  }
}

describe.each<[Updates, boolean]>([
  ['stream', false],
  ['poll', false],
  ['push', false],
  ['stream', true],
])('told by %s (0.3: %s)', (updates, legacy) => {
  let world: A2aWorld;
  beforeAll(async () => {
    world = await A2aWorld.open(1, using(updates, legacy));
  });
  afterAll(() => world.close());

  it('the host learns of the end without being asked, and tells it once', async () => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
    await expect.poll(() => kept(world)).toBe('parked');
    await world.person.approve(asked.url);
    await expect.poll(() => kept(world), { timeout: 10_000 }).toBe('settled');
    await expect.poll(() => world.host.completed, { timeout: 10_000 }).toContain(asked.id);
    expect(world.exists(task_id)).toBe(false);
    expect(structured(await world.host.call(world.tool, { task_id }))).toEqual({
      deleted: task_id,
    });
  });

  it('the host is killed while the person thinks, and the retry still finds its answer', async () => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
    await world.chain.down(world.chain.first);
    await world.person.approve(asked.url);
    await world.chain.up(world.chain.first);
    expect(structured(await world.host.call(world.tool, { task_id }))).toEqual({
      deleted: task_id,
    });
    expect(world.exists(task_id)).toBe(false);
  });

  it('the agent is away, comes back, and the call goes on', async () => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
    await world.chain.down(world.chain.leaf);
    expect(structured(await world.host.call(world.tool, { task_id }))).toMatchObject({
      code: 'Unavailable',
    });
    await world.chain.up(world.chain.leaf);
    expect(elicitationOf(await world.host.call(world.tool, { task_id })).url).toBe(asked.url);
    await world.person.approve(asked.url);
    await expect
      .poll(async () => (await world.host.call(world.tool, { task_id })).result?.structuredContent)
      .toEqual({ deleted: task_id });
  });
});

describe('a short deadline', () => {
  let world: A2aWorld;
  beforeAll(async () => {
    world = await A2aWorld.open(1, (n, _a2a, config) => {
      if (n === 1) config['ttl_seconds'] = 10;
    });
  });
  afterAll(() => world.close());

  it('passes: the call says so once, the next one asks anew', async () => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
    await expect.poll(() => kept(world), { timeout: 20_000 }).toBe('settled');
    expect(structured(await world.host.call(world.tool, { task_id }))).toMatchObject({
      code: 'ConsentExpired',
    });
    expect((await world.person.approve(asked.url)).kind).toBe('refused');
    const anew = elicitationOf(await world.host.call(world.tool, { task_id }));
    expect(anew.url).not.toBe(asked.url);
    await world.person.approve(anew.url);
    expect(structured(await world.host.call(world.tool, { task_id }))).toEqual({
      deleted: task_id,
    });
  });

  it('a client that cannot show links gets one in its result, and the scopes of the host hold', async () => {
    const stack = { mcpUrl: `${world.chain.first.url}/mcp` };
    const token = await world.chain.token(world.subject, 'plain');
    const plain = await LegacyClient.http(stack, token, NO_ELICITATION);
    const task_id = await world.newTask();
    const answer = structured(await plain.call(world.tool, { task_id }));
    expect(answer).toMatchObject({ status: 'approval_required' });
    await world.person.approve(String(answer['url']));
    await expect
      .poll(async () => structured(await plain.call(world.tool, { task_id })))
      .toEqual({ deleted: task_id });
    await plain.close();
  });
});

describe('three agents away, told by push at each', () => {
  let world: A2aWorld;
  beforeAll(async () => {
    world = await A2aWorld.open(3, using('push'));
  });
  afterAll(() => world.close());

  it('the ask comes up, the answer goes down, and the end comes up again without a question', async () => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
    await world.person.approve(asked.url);
    await expect.poll(() => kept(world), { timeout: 10_000 }).toBe('settled');
    expect(world.exists(task_id)).toBe(false);
    expect(structured(await world.host.call(world.tool, { task_id }))).toEqual({
      deleted: task_id,
    });
  });
});
