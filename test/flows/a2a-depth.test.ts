/** A → B → C → D: four agents in four processes, an MCP client at A, the tool and the person's page at D. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainDir } from '../../src/cli/data-directory.js';
import { A2aWorld } from '../support/a2a-world.js';
import { elicitationOf, modernClient, structured } from '../support/mcp-clients.js';

let world: A2aWorld;
beforeAll(async () => {
  world = await A2aWorld.open(3);
});
afterAll(() => world.close());

function credentialOf(url: string): Record<string, unknown> {
  const db = new Database(join(domainDir(world.chain.data, 'bridge'), 'bridge.db'), {
    readonly: true,
  });
  try {
    const row = db
      .prepare<[string], { credential: string }>('SELECT credential FROM consent WHERE id = ?')
      .get(url.split('/').at(-1)!);
    return decodeJwt(row!.credential);
  } finally {
    db.close();
  }
}

describe('A → B → C → D', () => {
  it('lists the leaf’s tools under the way to them', async () => {
    const names = (await world.host.client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(
      ['list_tasks', 'get_task', 'create_task', 'update_task', 'delete_task'].map(
        (tool) => `b.c.d.${tool}`,
      ),
    );
  });

  it('asks on the leaf’s page, names every hop, and runs once, bound to the leaf', async () => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
    expect(asked.code).toBe(-32_042);
    expect(asked.url.startsWith(`${world.stack.origin}/consents/`)).toBe(true);
    expect(asked.message).toBe(
      `Delete task ${task_id} (asked through claude → agent-a → agent-b → agent-c)`,
    );
    expect(elicitationOf(await world.host.call(world.tool, { task_id })).url).toBe(asked.url);
    expect(world.exists(task_id)).toBe(true);

    expect((await world.person.approve(asked.url)).kind).toBe('done');
    expect(structured(await world.host.call(world.tool, { task_id }))).toEqual({
      deleted: task_id,
    });
    expect(world.exists(task_id)).toBe(false);
    expect(credentialOf(asked.url)).toMatchObject({
      sub: world.subject,
      client_id: 'agent-d',
      aud: world.stack.configs.rs.resource,
      authorization_details: [{ command: 'delete_task', args: { task_id } }],
    });
  });

  it('a 2026-07-28 client waits through input_required and gets the result', async () => {
    const task_id = await world.newTask();
    const token = await world.chain.token(world.subject, 'modern');
    const stack = { mcpUrl: `${world.chain.first.url}/mcp` };
    const modern = await modernClient(stack, token, async (url) => {
      await world.person.approve(url);
      return { action: 'accept' };
    });
    const result = await modern.callTool({ name: world.tool, arguments: { task_id } });
    expect(result.structuredContent).toEqual({ deleted: task_id });
    await modern.close();
  });

  it('the client’s refusal goes down to the page: nothing can be signed any more', async () => {
    const task_id = await world.newTask();
    const token = await world.chain.token(world.subject, 'refuser');
    const stack = { mcpUrl: `${world.chain.first.url}/mcp` };
    let asked = '';
    const modern = await modernClient(stack, token, (url) => {
      asked = url;
      return Promise.resolve({ action: 'decline' });
    });
    const result = await modern.callTool({ name: world.tool, arguments: { task_id } });
    expect(result.structuredContent).toMatchObject({ status: 'declined', by: 'client' });
    expect((await world.person.approve(asked)).kind).toBe('refused');
    expect(world.exists(task_id)).toBe(true);
    await modern.close();
  });

  it('the person’s refusal comes up with their words', async () => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
    await world.person.decline(asked.url, 'not this one');
    expect(structured(await world.host.call(world.tool, { task_id }))).toMatchObject({
      status: 'declined',
      by: 'approver',
      reason: 'not this one',
    });
  });

  it('every agent in between is killed while the task waits, and it still ends once', async () => {
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
    const [, b, c] = world.chain.agents;
    await Promise.all([world.chain.down(b!), world.chain.down(c!)]);
    await world.person.approve(asked.url);
    await Promise.all([world.chain.up(b!), world.chain.up(c!)]);
    expect(structured(await world.host.call(world.tool, { task_id }))).toEqual({
      deleted: task_id,
    });
    expect(world.exists(task_id)).toBe(false);
  });

  it('no token of one hop is ever seen on another', () => {
    const tokens = world.wires.map(
      ({ passed }) => new Set(passed.flatMap(({ authorization }) => authorization ?? [])),
    );
    expect(tokens.map((set) => set.size)).toEqual([1, 1, 1]);
    const all = tokens.map((set) => [...set][0]!.replace('Bearer ', ''));
    expect(new Set(all).size).toBe(3);
    for (const [n, wire] of world.wires.entries())
      for (const { body, authorization } of wire.passed)
        for (const [m, token] of all.entries())
          if (m !== n) expect(`${body} ${authorization ?? ''}`).not.toContain(token);
  });
});
