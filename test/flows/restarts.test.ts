import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAINS } from '../../src/cli/data-directory.js';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import { LegacyClient, elicitationOf, structured } from '../support/mcp-clients.js';
import { TestStack } from '../support/test-stack.js';

let stack: TestStack;
let alice: SoftwareApprover;
let client: LegacyClient;

beforeAll(async () => {
  stack = await TestStack.start();
  alice = await stack.person('alice@example.com');
  client = await LegacyClient.http(stack, await stack.token('alice@example.com'));
});
afterAll(async () => {
  await client.close();
  await stack.stop();
});

describe.each(DOMAINS)('%s is killed and started again', (domain) => {
  it('between any two steps, and the action still runs once', async () => {
    const task_id = await client.newTask(`survives ${domain}`);
    await stack.restart(domain);
    const asked = elicitationOf(await client.call('delete_task', { task_id }));
    await stack.restart(domain);
    expect(elicitationOf(await client.call('delete_task', { task_id })).id).toBe(asked.id);
    expect(await alice.approve(asked.url)).toMatchObject({ kind: 'done' });
    await stack.restart(domain);
    expect(structured(await client.call('delete_task', { task_id }))).toEqual({ deleted: task_id });
    const executed = await stack.events('bridge', 'call.executed');
    expect(executed.filter(({ consent }) => consent === asked.id)).toHaveLength(1);
  });

  it('and drains on SIGTERM with exit code 0', async () => {
    expect(await stack.down(domain, 'SIGTERM')).toBe(0);
    await stack.up(domain);
  });
});

describe.each(['vault', 'rs', 'consent-ui'] as const)('while %s is down', (domain) => {
  it('a call says Unavailable, nothing is lost, and the same call goes on afterwards', async () => {
    const task_id = await client.newTask(`waits for ${domain}`);
    const asked = elicitationOf(await client.call('delete_task', { task_id }));
    if (domain !== 'consent-ui') await alice.approve(asked.url);
    await stack.down(domain);
    expect(structured(await client.call('delete_task', { task_id }))).toMatchObject({
      status: 'refused',
      code: 'Unavailable',
    });
    await stack.up(domain);
    if (domain === 'consent-ui') await alice.approve(asked.url);
    expect(structured(await client.call('delete_task', { task_id }))).toEqual({ deleted: task_id });
  });
});
