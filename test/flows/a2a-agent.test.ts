/** The agent side, spoken to by the SDK's own client over real sockets. */
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type StreamResponse, TaskState } from '@a2a-js/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AgentChain } from '../../src/cli/a2a-agents.js';
import { inviteApprover } from '../../src/cli/operator.js';
import { SoftwareApprover } from '../../src/cli/software-approver.js';
import { dataPart, textPart } from '../../src/a2a/translation/part.js';
import { A2aClient, askOfTask, outcomeOfTask } from '../support/a2a-client.js';
import { TestStack } from '../support/test-stack.js';

const ALICE = 'alice@example.com';
let chain: AgentChain;
let stack: TestStack;
let person: SoftwareApprover;
let robot: A2aClient;
let hook: { url: string; bodies: Record<string, unknown>[]; close(): void };

beforeAll(async () => {
  hook = await webhook();
  chain = await AgentChain.start({
    depth: 1,
    subject: ALICE,
    amend: (n, a2a) => {
      if (n === 1) a2a['serve'] = { push_origins: [hook.url], legacy: true };
    },
  });
  stack = TestStack.attach(chain.data);
  person = new SoftwareApprover(stack.origin);
  await person.enrol((await inviteApprover(chain.data, ALICE)).link);
});
// A client of its own for each test: the rate of new consents is counted per client.
beforeEach(async () => {
  robot = await A2aClient.connect(chain.leaf, ALICE);
});
afterAll(async () => {
  hook.close();
  await chain.stop();
});

async function webhook(): Promise<typeof hook> {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const token = request.headers['x-a2a-notification-token'];
      bodies.push({ ...(JSON.parse(text) as object), token });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, bodies, close: () => server.close() };
}

async function newTask(): Promise<string> {
  const made = outcomeOfTask(await robot.call('create_task', { title: 'a task' }));
  return (made as unknown as { result: { task: { id: string } } }).result.task.id;
}

async function parked(
  client = robot,
): Promise<{ id: string; contextId: string; task_id: string; url: string }> {
  const task_id = await newTask();
  const task = await client.call('delete_task', { task_id });
  expect(task.status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
  return { id: task.id, contextId: task.contextId, task_id, url: askOfTask(task).consent_url };
}

describe('a call that needs nobody', () => {
  it('completes at once', async () => {
    const task = await robot.call('list_tasks', {});
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(outcomeOfTask(task)).toMatchObject({ status: 'success' });
  });
});

describe('a gated call', () => {
  it('parks with everything the person is asked to sign, bound to the leaf', async () => {
    const task_id = await newTask();
    const task = await robot.call('delete_task', { task_id });
    const ask = askOfTask(task);
    expect(JSON.parse(ask.authorization_details)).toEqual([
      { type: 'consent_bridge_action', command: 'delete_task', args: { task_id } },
    ]);
    expect(ask).toMatchObject({
      agent: 'agent-b',
      approver_id: ALICE,
      resource: stack.configs.rs.resource,
    });
    expect(ask.consent_url).toBe(`${stack.origin}/consents/${ask.consent_id}`);
    expect(ask.binding_message).toMatch(
      new RegExp(`^Delete task ${task_id} \\(asked through robot-`),
    );
    expect(stack.taskIds()).toContain(task_id);
    await robot.cancel(task.id);
  });

  it('goes on by itself when the person signs; whoever polls sees it end', async () => {
    const { id, url, task_id } = await parked();
    await person.approve(url);
    const done = await robot.until(id, TaskState.TASK_STATE_COMPLETED);
    expect(outcomeOfTask(done)).toMatchObject({ status: 'success', result: { deleted: task_id } });
    expect(stack.taskIds()).not.toContain(task_id);
  });

  it('streams: asked for approval, then the end, on one connection', async () => {
    const task_id = await newTask();
    const states: (TaskState | undefined)[] = [];
    const sent = robot.message([
      dataPart({ kind: 'call', tool: 'delete_task', args: { task_id } }),
    ]);
    const events = robot.client.sendMessageStream({
      ...{ tenant: '', message: sent, configuration: undefined, metadata: undefined },
    });
    for await (const { payload } of events) {
      if (payload?.$case === 'task') states.push(payload.value.status?.state);
      if (payload?.$case !== 'statusUpdate') continue;
      states.push(payload.value.status?.state);
      if (payload.value.status?.state === TaskState.TASK_STATE_AUTH_REQUIRED)
        await person.approve(askOfTask({ status: payload.value.status } as never).consent_url);
    }
    const { TASK_STATE_WORKING, TASK_STATE_AUTH_REQUIRED, TASK_STATE_COMPLETED } = TaskState;
    expect(states).toEqual([TASK_STATE_WORKING, TASK_STATE_AUTH_REQUIRED, TASK_STATE_COMPLETED]);
    expect(stack.taskIds()).not.toContain(task_id);
  });

  it('a stream that was cut is taken up again; two streams hear the same end', async () => {
    const { id, url } = await parked();
    const cut = new AbortController();
    const first = robot.client.resubscribeTask({ tenant: '', id }, { signal: cut.signal });
    await first.next();
    cut.abort();
    await first.next().catch(() => undefined);
    const ends = [1, 2].map(async () => {
      let last: StreamResponse | undefined;
      for await (const event of robot.client.resubscribeTask({ tenant: '', id })) last = event;
      return last?.payload?.$case === 'statusUpdate' ? last.payload.value.status?.state : undefined;
    });
    await person.approve(url);
    expect(await Promise.all(ends)).toEqual([3, 3]);
  });

  it('the earlier snapshot does not change when the task fails at once', async () => {
    const task = await robot.call('delete_task', { task_id: 't-999999' });
    const before = structuredClone(task);
    await person.approve(askOfTask(task).consent_url);
    const failed = await robot.until(task.id, TaskState.TASK_STATE_FAILED);
    expect(outcomeOfTask(failed)).toMatchObject({
      status: 'failed',
      error: { code: 'NoSuchTask' },
    });
    expect(task).toEqual(before);
  });
});

describe('resuming', () => {
  it('"continue" before anybody signed asks the same again; after, it ends', async () => {
    const { id, contextId, url } = await parked();
    const again = await robot.resume({ id, contextId }, { action: 'continue' });
    expect(askOfTask(again).consent_url).toBe(url);
    const plain = await robot.send([textPart('any news?')], { taskId: id, contextId });
    expect(askOfTask(plain).consent_url).toBe(url);
    await person.approve(url);
    await robot.until(id, TaskState.TASK_STATE_COMPLETED);
  });

  it('two at once: one run, both hear of it', async () => {
    const { id, contextId, url, task_id } = await parked();
    const both = [1, 2].map(() => robot.resume({ id, contextId }, { action: 'continue' }));
    await person.approve(url);
    await Promise.all(both);
    await robot.until(id, TaskState.TASK_STATE_COMPLETED);
    expect(stack.taskIds()).not.toContain(task_id);
    const minted = await stack.events('bridge', 'credential.minted');
    expect(minted.filter(({ consent }) => url.endsWith(String(consent)))).toHaveLength(1);
  });

  it('two identical calls are one question and one run', async () => {
    const task_id = await newTask();
    const tasks = await Promise.all([1, 2].map(() => robot.call('delete_task', { task_id })));
    const urls = new Set(tasks.map((task) => askOfTask(task).consent_url));
    expect(urls.size).toBe(1);
    await person.approve([...urls][0]!);
    for (const { id } of tasks) {
      const done = await robot.until(id, TaskState.TASK_STATE_COMPLETED);
      expect(outcomeOfTask(done)).toMatchObject({ result: { deleted: task_id } });
    }
  });

  it('decline: nothing runs, and the page no longer takes a signature', async () => {
    const { id, contextId, url, task_id } = await parked();
    const declined = await robot.resume({ id, contextId }, { action: 'decline' });
    expect(declined.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(outcomeOfTask(declined)).toMatchObject({ status: 'declined', by: 'client' });
    expect((await person.approve(url)).kind).toBe('refused');
    expect(stack.taskIds()).toContain(task_id);
  });

  it('the person declines: the task says so, with their reason', async () => {
    const { id, url } = await parked();
    await person.decline(url, 'not today');
    const rejected = await robot.until(id, TaskState.TASK_STATE_REJECTED);
    expect(outcomeOfTask(rejected)).toMatchObject({ by: 'approver', reason: 'not today' });
  });

  it('cancel: nothing runs', async () => {
    const { id, url, task_id } = await parked();
    expect((await robot.cancel(id)).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await person.approve(url)).kind).toBe('refused');
    expect(stack.taskIds()).toContain(task_id);
  });

  it('a finished task takes no more messages', async () => {
    const { id, contextId } = await parked();
    await robot.cancel(id);
    await expect(robot.resume({ id, contextId }, { action: 'continue' })).rejects.toThrow();
  });
});

describe('who may', () => {
  it('scopes are enforced before anybody is asked', async () => {
    const reader = await A2aClient.connect(chain.leaf, ALICE, { scopes: ['tasks.read'] });
    const before = (await stack.events('bridge', 'consent.raised')).length;
    const task = await reader.call('delete_task', { task_id: 't-1' });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(outcomeOfTask(task)).toMatchObject({
      status: 'unauthorized',
      missing_scopes: ['tasks.write'],
    });
    expect((await stack.events('bridge', 'consent.raised')).length).toBe(before);
  });

  it('another client sees nothing of a task', async () => {
    const { id } = await parked();
    const other = await A2aClient.connect(chain.leaf, ALICE);
    await expect(other.get(id)).rejects.toThrow(/not found/i);
    await expect(other.cancel(id)).rejects.toThrow(/not found/i);
    const listed = await other.client.listTasks({
      ...{
        tenant: '',
        contextId: '',
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageToken: '',
        statusTimestampAfter: undefined,
      },
    });
    expect(listed.tasks).toEqual([]);
    await robot.cancel(id);
  });

  it('a revoked token ends what it started, signed or not', async () => {
    const client = await A2aClient.connect(chain.leaf, ALICE, { clientId: 'to-be-revoked' });
    const { id, url, task_id } = await parked(client);
    const listed = (await stack.operator('bridge', 'token', 'list', '--json')).trim().split('\n');
    const token = listed.map((line) => JSON.parse(line) as { client_id: string; token_id: string });
    const { token_id } = token.find(({ client_id }) => client_id === 'to-be-revoked')!;
    await stack.operator('bridge', 'token', 'revoke', '--token-id', token_id);
    await person.approve(url);
    await expect(client.get(id)).rejects.toThrow();
    const ended = async () =>
      (await stack.events('bridge', 'task.ended')).some(({ task }) => task === id);
    await expect.poll(ended, { timeout: 30_000 }).toBe(true);
    expect(stack.taskIds()).toContain(task_id);
  });
});

describe('ids may hold anything', () => {
  it.each([
    'a/b?c#d',
    '"; DROP TABLE task; --',
    '../../etc',
    '\u202Eevil\u0000',
    'é\u0301'.repeat(40),
  ])('context id %j', async (contextId) => {
    const task = await robot.call('list_tasks', {}, { contextId });
    expect(task.contextId).toBe(contextId);
    expect((await robot.get(task.id)).contextId).toBe(contextId);
    await expect(robot.get(`${task.id}${contextId}`)).rejects.toThrow(/not found/i);
  });
});

describe('what is not a JSON-RPC request', () => {
  it.each([
    ['another version', { jsonrpc: '1.0', id: 1, method: 'GetTask', params: {} }, -32_600],
    ['no method', { jsonrpc: '2.0', id: 1, params: {} }, -32_600],
    ['an id of another kind', { jsonrpc: '2.0', id: {}, method: 'GetTask', params: {} }, -32_600],
    ['a list', [], -32_600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'Nope', params: {} }, -32_601],
  ])('%s', async (_what, body, code) => {
    const headers = {
      authorization: `Bearer ${robot.token}`,
      'content-type': 'application/json',
      'a2a-version': '1.0',
    };
    const answer = await fetch(`${robot.url}/a2a`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"a","id":"b"}}',
    '[1e400]',
    '{',
  ])('text that two parsers could read differently: %s', async (body) => {
    const headers = { authorization: `Bearer ${robot.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${robot.url}/a2a`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32_700 } });
  });

  it('nobody without a token is answered', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x' } });
    for (const authorization of ['', 'Bearer cb_unknown', 'Basic YTpi']) {
      const headers = { 'content-type': 'application/json', authorization };
      const answer = await fetch(`${robot.url}/a2a`, { method: 'POST', headers, body });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });
});

describe('what is not a call', () => {
  it('words alone: the agent says what it takes, and a call may follow in the same task', async () => {
    const asked = await robot.send([textPart('please delete everything')]);
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const call = dataPart({ kind: 'call', tool: 'list_tasks', args: {} });
    const done = await robot.send([call], { taskId: asked.id, contextId: asked.contextId });
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const other = await robot.send([textPart('hello')]);
    expect((await robot.cancel(other.id)).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  it.each([
    [
      'two calls in one message',
      [1, 2].map(() => dataPart({ kind: 'call', tool: 'list_tasks', args: {} })),
    ],
    ['a member too many', [dataPart({ kind: 'call', tool: 'list_tasks', args: {}, admin: true })]],
  ])('%s', async (_what, parts) => {
    const task = await robot.send(parts);
    expect(outcomeOfTask(task)).toMatchObject({ status: 'refused', code: 'MalformedRequest' });
  });

  it('an unreadable resume leaves the task waiting, and not for ever', async () => {
    const { id, contextId, url } = await parked();
    const bad = { action: 'signed', signed_payload: '{"payload":1}' };
    for (let n = 1; n < 5; n += 1) {
      const still = await robot.resume({ id, contextId }, bad);
      expect(askOfTask(still).consent_url).toBe(url);
      expect(outcomeOfTask(still)).toMatchObject({ code: 'MalformedRequest' });
    }
    const ended = await robot.resume({ id, contextId }, bad);
    expect(ended.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect((await person.approve(url)).kind).toBe('refused');
  });
});

describe('push notifications', () => {
  it('go to an allowed address, with the token given for it', async () => {
    const { id, url } = await parked();
    const config = {
      tenant: '',
      id: '',
      taskId: id,
      url: hook.url,
      token: 'tok',
      authentication: undefined,
    };
    await robot.client.createTaskPushNotificationConfig(config);
    await person.approve(url);
    await robot.until(id, TaskState.TASK_STATE_COMPLETED);
    await expect.poll(() => hook.bodies.length).toBe(1);
    expect(hook.bodies[0]).toMatchObject({
      token: 'tok',
      statusUpdate: { taskId: id, status: { state: 'TASK_STATE_COMPLETED' } },
    });
  });

  it.each(['http://169.254.169.254/', 'file:///etc/passwd', 'http://user:pw@127.0.0.1/'])(
    'but not to %s',
    async (url) => {
      const { id } = await parked();
      const config = { tenant: '', id: '', taskId: id, url, token: '', authentication: undefined };
      await expect(robot.client.createTaskPushNotificationConfig(config)).rejects.toThrow();
      await robot.cancel(id);
    },
  );
});

describe('a 0.3 peer', () => {
  it('is asked and told in its own words', async () => {
    const old = await A2aClient.connect(chain.leaf, ALICE, { legacy: true });
    expect(old.client.protocolVersion).toBe('0.3');
    const { id, url, task_id } = await parked(old);
    await person.approve(url);
    const done = await old.until(id, TaskState.TASK_STATE_COMPLETED);
    expect(outcomeOfTask(done)).toMatchObject({ result: { deleted: task_id } });
  });
});

describe('the process is killed while a task waits', () => {
  it('and the task goes on from where it was', async () => {
    const first = await parked();
    const second = await parked();
    await chain.down(chain.leaf);
    await chain.up(chain.leaf);
    expect((await robot.get(first.id)).status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
    await person.approve(first.url);
    const done = await robot.until(first.id, TaskState.TASK_STATE_COMPLETED);
    expect(outcomeOfTask(done)).toMatchObject({ result: { deleted: first.task_id } });
    // Decided while nobody listened:
    await chain.down(chain.leaf);
    await person.approve(second.url);
    await chain.up(chain.leaf);
    await robot.until(second.id, TaskState.TASK_STATE_COMPLETED);
    expect(stack.taskIds()).not.toContain(second.task_id);
  });
});
