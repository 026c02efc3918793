import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LegacyClient, elicitationOf, structured } from '../support/mcp-clients.js';
import { TestStack } from '../support/test-stack.js';

let stack: TestStack;
const clients: LegacyClient[] = [];

beforeAll(async () => {
  stack = await TestStack.start();
  await stack.person('alice@example.com');
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await stack.stop();
});

let n = 0;
async function client(scopes: string[]): Promise<LegacyClient> {
  n += 1;
  const connected = await LegacyClient.http(
    stack,
    await stack.token('alice@example.com', { scopes, clientId: `agent-${n}` }),
  );
  clients.push(connected);
  return connected;
}

const refused = (missing: string[]) => ({
  status: 'unauthorized',
  code: 'Unauthorized',
  layer: 'dispatcher',
  missing_scopes: missing,
});

describe('scopes come before the gate', () => {
  it('1. a reader may read', async () => {
    expect(structured(await (await client(['tasks.read'])).call('list_tasks'))).toHaveProperty(
      'tasks',
    );
  });

  it('2. a reader may not write an open tool', async () => {
    expect(
      structured(await (await client(['tasks.read'])).call('create_task', { title: 'x' })),
    ).toMatchObject(refused(['tasks.write']));
    expect(stack.taskIds()).toEqual([]);
  });

  it('3. a reader may not reach the gate: no human is asked', async () => {
    const before = (await stack.events('bridge', 'consent.raised')).length;
    expect(
      structured(await (await client(['tasks.read'])).call('delete_task', { task_id: 't-1' })),
    ).toMatchObject(refused(['tasks.write']));
    expect((await stack.events('bridge', 'consent.raised')).length).toBe(before);
  });

  it('4. a writer without the read scope may not read', async () => {
    expect(
      structured(await (await client(['tasks.write'])).call('get_task', { task_id: 't-1' })),
    ).toMatchObject(refused(['tasks.read']));
  });

  it('5. a writer may write an open tool', async () => {
    expect(
      structured(await (await client(['tasks.write'])).call('create_task', { title: 'x' })),
    ).toHaveProperty('task');
  });

  it('6. a writer reaches the gate, and is asked', async () => {
    elicitationOf(await (await client(['tasks.write'])).call('delete_task', { task_id: 't-1' }));
  });

  it('7. no scope at all, or one that only looks alike, is none', async () => {
    for (const scopes of [['other'], ['tasks'], ['tasks.write.all', 'TASKS.WRITE', 'tasks.*']]) {
      expect(
        structured(await (await client(scopes)).call('delete_task', { task_id: 't-1' })),
      ).toMatchObject(refused(['tasks.write']));
    }
  });

  it('each refusal is one scope.refused entry, and no refusal of an approval', async () => {
    const entries = await stack.events('bridge', 'scope.refused');
    expect(entries).toHaveLength(6);
    expect(await stack.events('bridge', 'call.refused')).toHaveLength(0);
  });

  it('the resource server enforces the same from its own table, whatever the bridge says', async () => {
    const bridge = stack.compromisedBridge();
    const caller = { subject: 'alice@example.com', client_id: 'agent', scopes: ['tasks.read'] };
    const honest = await bridge.execute({ command: 'list_tasks', args: {}, caller });
    expect(honest.status).toBe(200);
    const refusedByRs = await bridge.execute({
      command: 'create_task',
      args: { title: 'x' },
      caller,
    });
    expect(refusedByRs.body).toMatchObject({
      code: 'Unauthorized',
      layer: 'rs',
      missing_scopes: ['tasks.write'],
    });
    const ungated = await bridge.execute({
      command: 'delete_task',
      args: { task_id: 't-1' },
      caller: { ...caller, scopes: ['tasks.write'] },
    });
    expect(ungated.body).toMatchObject({ code: 'ApprovalRequired', layer: 'rs' });
    expect(stack.taskIds()).toContain('t-1');
  });
});

describe('without a gate the surface is read-only', () => {
  it('only tools that change nothing are listed and callable', async () => {
    await stack.reconfigure('bridge', (configs) => delete configs.bridge.gate);
    const writer = await client(['tasks.read', 'tasks.write']);
    expect((await writer.client.listTools()).tools.map(({ name }) => name).sort()).toEqual([
      'get_task',
      'list_tasks',
    ]);
    await expect(writer.call('create_task', { title: 'x' })).rejects.toMatchObject({
      code: -32_602,
    });
    await expect(writer.call('delete_task', { task_id: 't-1' })).rejects.toMatchObject({
      code: -32_602,
    });
  });
});
