import { afterAll, beforeAll, expect, it } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { domainDir } from '../../src/cli/data-directory.js';
import { mainOf } from '../../src/cli/processes.js';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import {
  FORM_ONLY,
  LegacyClient,
  URL_MODE,
  elicitationOf,
  structured,
} from '../support/mcp-clients.js';
import { TestStack } from '../support/test-stack.js';

let stack: TestStack;
let alice: SoftwareApprover;
let token: string;

beforeAll(async () => {
  stack = await TestStack.start();
  alice = await stack.person('alice@example.com');
  token = await stack.token('alice@example.com');
});
afterAll(() => stack.stop());

it('a 2025-11-25 client over stdio gets -32042, and its retry runs the action', async () => {
  const client = await LegacyClient.stdio(stack, token, URL_MODE);
  const { task } = structured(await client.call('create_task', { title: 'stdio' })) as {
    task: { id: string };
  };
  const asked = elicitationOf(await client.call('delete_task', { task_id: task.id }));
  expect(asked.code).toBe(-32_042);
  await alice.approve(asked.url);
  expect(structured(await client.call('delete_task', { task_id: task.id }))).toEqual({
    deleted: task.id,
  });
  expect(stack.taskIds()).not.toContain(task.id);
  await client.close();
});

it('the stdio process and the HTTP process share one consent: asked on one, run on the other, once', async () => {
  const stdio = await LegacyClient.stdio(stack, token, URL_MODE);
  const http = await LegacyClient.http(stack, token, URL_MODE);
  const { task } = structured(await http.call('create_task', { title: 'shared' })) as {
    task: { id: string };
  };
  const asked = elicitationOf(await stdio.call('delete_task', { task_id: task.id }));
  expect(elicitationOf(await http.call('delete_task', { task_id: task.id })).id).toBe(asked.id);
  await alice.approve(asked.url);
  const answers = await Promise.all([
    stdio.call('delete_task', { task_id: task.id }),
    http.call('delete_task', { task_id: task.id }),
  ]);
  for (const answer of answers) expect(structured(answer)).toEqual({ deleted: task.id });
  const minted = (await stack.events('bridge', 'credential.minted')).find(
    (e) => e['consent'] === asked.id,
  );
  const started = (await stack.events('rs', 'execution.started')).filter(
    (e) => e['jti'] === minted?.['jti'],
  );
  expect(started).toHaveLength(1);
  await Promise.all([stdio.close(), http.close()]);
});

it('a client without URL mode gets the link in a result', async () => {
  const client = await LegacyClient.stdio(stack, token, FORM_ONLY);
  const { task } = structured(await client.call('create_task', { title: 'form' })) as {
    task: { id: string };
  };
  expect(structured(await client.call('delete_task', { task_id: task.id }))).toMatchObject({
    status: 'approval_required',
  });
  await client.close();
});

it('without a valid token it does not start, and says how to get one', async () => {
  const child = spawn(
    process.execPath,
    [mainOf('bridge'), 'stdio', '--data', domainDir(stack.data, 'bridge')],
    {
      env: { ...process.env, CONSENT_BRIDGE_TOKEN: 'cb_wrong' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(1);
  expect(lines.join('\n')).toContain('bridge token issue');
});

it('a line with a duplicate member is refused as JSON, and the connection lives on', async () => {
  const child = spawn(
    process.execPath,
    [mainOf('bridge'), 'stdio', '--data', domainDir(stack.data, 'bridge')],
    {
      env: { ...process.env, CONSENT_BRIDGE_TOKEN: token },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> =>
    JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
  child.stdin.write(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"amount":1,"amount":2}}}\n',
  );
  expect(await next()).toMatchObject({ error: { code: -32_700, data: { code: 'MalformedJson' } } });
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'initialize', params: initialize })}\n`,
  );
  expect(await next()).toMatchObject({ id: 2, result: { serverInfo: { name: 'consent-bridge' } } });
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(0);
});
