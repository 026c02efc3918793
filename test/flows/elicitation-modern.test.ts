import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import { LegacyClient, errorCode, modernClient, structured } from '../support/mcp-clients.js';
import { type RawModern, rawModern } from '../support/raw-modern.js';
import { TestStack } from '../support/test-stack.js';

let stack: TestStack;
let alice: SoftwareApprover;
let token: string;
let maker: LegacyClient;

beforeAll(async () => {
  stack = await TestStack.start((configs) => (configs.bridge.wait_seconds = 2));
  alice = await stack.person('alice@example.com');
  token = await stack.token('alice@example.com');
  maker = await LegacyClient.http(stack, token);
});
afterAll(async () => {
  await maker.close();
  await stack.stop();
});

async function newTask(title: string): Promise<string> {
  const { task } = structured(await maker.call('create_task', { title })) as {
    task: { id: string };
  };
  return task.id;
}

describe('the v2 SDK client on 2026-07-28', () => {
  it('completes a gated call by itself once a person has signed', async () => {
    const task_id = await newTask('modern');
    const client = await modernClient(stack, token, async (url) => {
      await alice.approve(url);
      return { action: 'accept' };
    });
    const result = await client.callTool({ name: 'delete_task', arguments: { task_id } });
    expect(result.structuredContent).toEqual({ deleted: task_id });
    expect(stack.taskIds()).not.toContain(task_id);
    await client.close();
  });

  it('keeps asking while nobody signs, and accept alone never releases anything', async () => {
    const task_id = await newTask('auto-accept');
    let asked = 0;
    const client = await modernClient(stack, token, () => {
      asked += 1;
      return Promise.resolve({ action: 'accept' });
    });
    await expect(
      client.callTool({ name: 'delete_task', arguments: { task_id } }, { timeout: 60_000 }),
    ).rejects.toThrow();
    expect(asked).toBeGreaterThan(5);
    expect(stack.taskIds()).toContain(task_id);
    await client.close();
  });

  it.each(['decline', 'cancel'] as const)(
    '%s by the client ends the call as the client’s refusal',
    async (action) => {
      const task_id = await newTask(action);
      let link = '';
      const client = await modernClient(stack, token, (url) => {
        link = url;
        return Promise.resolve({ action });
      });
      const result = await client.callTool({ name: 'delete_task', arguments: { task_id } });
      expect(result.structuredContent).toMatchObject({ status: 'declined', by: 'client' });
      const id = link.split('/').at(-1);
      expect(
        (await stack.events('bridge', 'consent.declined-by-client')).filter(
          (e) => e['consent'] === id,
        ),
      ).toHaveLength(1);
      expect(
        (await stack.events('bridge', 'consent.decided')).filter((e) => e['consent'] === id),
      ).toHaveLength(0);
      // The person answers after all: harmless, and said to be no longer needed.
      expect(await alice.approve(link)).toMatchObject({ kind: 'refused' });
      expect(stack.taskIds()).toContain(task_id);
      await client.close();
    },
  );

  it('without URL mode it gets the link in a result', async () => {
    const task_id = await newTask('no url mode');
    const client = await modernClient(
      stack,
      token,
      () => Promise.resolve({ action: 'accept' }),
      {},
    );
    const result = await client.callTool({ name: 'delete_task', arguments: { task_id } });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      status: 'approval_required',
      code: 'ApprovalRequired',
    });
    await client.close();
  });

  it('hears progress while it waits for the person', async () => {
    const task_id = await newTask('progress');
    const client = await modernClient(stack, token, () => Promise.resolve({ action: 'decline' }));
    const raw = rawModern(stack, token);
    const first = await raw.call('delete_task', { task_id });
    const second = await raw.call(
      'delete_task',
      { task_id },
      { requestState: first.requestState, progressToken: 'p' },
    );
    expect(second.progress).toBeGreaterThan(0);
    await client.close();
  });
});

describe('a repeat with the same requestState', () => {
  it('after success returns the stored outcome, not a second run', async () => {
    const task_id = await newTask('repeat');
    const raw = rawModern(stack, token);
    const asked = await raw.call('delete_task', { task_id });
    await alice.approve(asked.url);
    const once = await raw.call('delete_task', { task_id }, { requestState: asked.requestState });
    expect(once.result).toMatchObject({ structuredContent: { deleted: task_id } });
    const again = await raw.call('delete_task', { task_id }, { requestState: asked.requestState });
    expect(again.result).toMatchObject({ structuredContent: { deleted: task_id } });
    const id = asked.url.split('/').at(-1);
    expect(
      (await stack.events('bridge', 'call.executed')).filter((e) => e['consent'] === id),
    ).toHaveLength(1);
  });
});

describe('requestState is sealed: refused with -32602 before dispatch when', () => {
  let raw: RawModern;
  let task_id: string;
  let state: string;

  beforeAll(async () => {
    raw = rawModern(stack, token);
    task_id = await newTask('sealed');
    state = (await raw.call('delete_task', { task_id })).requestState;
    const honest = await raw.call('delete_task', { task_id }, { requestState: state });
    expect(honest.requestState).not.toBe('');
  });

  function edited(
    change: (body: { p: Record<string, unknown>; exp: number; b: string }) => void,
  ): string {
    const [version = '', body = '', mac = ''] = state.split('.');
    const parsed = JSON.parse(Buffer.from(body, 'base64url').toString()) as Parameters<
      typeof change
    >[0];
    change(parsed);
    return [version, Buffer.from(JSON.stringify(parsed)).toString('base64url'), mac].join('.');
  }

  it.each<[string, () => unknown]>([
    ['it names another consent', () => edited(({ p }) => (p['consent'] = 'x'.repeat(43)))],
    ['it names another call', () => edited(({ p }) => (p['call'] = 'x'.repeat(43)))],
    ['its expiry is moved', () => edited((body) => (body.exp += 1))],
    [
      'its binding to caller and method is changed',
      () => edited((body) => (body.b = body.b.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')))),
    ],
    ['its seal is changed', () => `${state.slice(0, -2)}${state.endsWith('AA') ? 'BB' : 'AA'}`],
    ['it is another version', () => state.replace('v1.', 'v2.')],
    ['it is empty', () => ''],
    ['it is a number', () => 7],
    ['it is an object', () => ({})],
  ])('%s', async (_claim, tampered) => {
    await expect(
      raw.call('delete_task', { task_id }, { requestState: tampered() }),
    ).rejects.toSatisfy((e) => errorCode(e) === -32_602);
  });

  it('it comes with other arguments', async () => {
    const other = await newTask('other');
    await expect(
      raw.call('delete_task', { task_id: other }, { requestState: state }),
    ).rejects.toSatisfy((e) => errorCode(e) === -32_602);
  });

  it('it comes with another tool', async () => {
    await expect(raw.call('get_task', { task_id }, { requestState: state })).rejects.toSatisfy(
      (e) => errorCode(e) === -32_602,
    );
  });

  it('it comes from another caller', async () => {
    const other = rawModern(stack, await stack.token('alice@example.com', { clientId: 'other' }));
    await expect(other.call('delete_task', { task_id }, { requestState: state })).rejects.toSatisfy(
      (e) => errorCode(e) === -32_602,
    );
  });

  it('inputResponses is not an object', async () => {
    await expect(
      raw.call('delete_task', { task_id }, { requestState: state, inputResponses: [] }),
    ).rejects.toSatisfy((e) => errorCode(e) === -32_602);
    await expect(
      raw.call('delete_task', { task_id }, { requestState: state, inputResponses: 'x' }),
    ).rejects.toSatisfy((e) => errorCode(e) === -32_602);
  });
});
