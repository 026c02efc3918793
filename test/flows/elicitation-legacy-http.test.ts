import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import { LegacyClient, elicitationOf, structured } from '../support/mcp-clients.js';
import { TestStack } from '../support/test-stack.js';

let stack: TestStack;
let alice: SoftwareApprover;
let client: LegacyClient;

beforeAll(async () => {
  stack = await TestStack.start();
  alice = await stack.person('alice@example.com');
});
afterAll(() => stack.stop());

beforeEach(async () => {
  client = await LegacyClient.fresh(stack, 'alice@example.com');
});
afterEach(() => client.close());

describe('a 2025-11-25 client with URL mode, over HTTP', () => {
  it('gets -32042, a person signs, the retry deletes exactly that task', async () => {
    const target = await client.newTask('target');
    const bystander = await client.newTask('bystander');

    const asked = elicitationOf(await client.call('delete_task', { task_id: target }));
    expect(asked).toMatchObject({ code: -32_042, count: 1, message: `Delete task ${target}` });
    expect(asked.url).toBe(`${stack.origin}/consents/${asked.id}`);
    expect(stack.taskIds()).toContain(target);

    expect(await alice.approve(asked.url)).toMatchObject({ kind: 'done' });
    expect(stack.taskIds()).toContain(target);

    const answer = await client.call('delete_task', { task_id: target });
    expect(structured(answer)).toEqual({ deleted: target });
    expect(stack.taskIds()).not.toContain(target);
    expect(stack.taskIds()).toContain(bystander);
  });

  it('a retry while it is pending gets the same elicitation, never a second consent', async () => {
    const task_id = await client.newTask('asked twice');
    const first = elicitationOf(await client.call('delete_task', { task_id }));
    const second = elicitationOf(await client.call('delete_task', { task_id }));
    expect(second).toEqual(first);
    const raised = (await stack.events('bridge', 'consent.raised')).filter(
      ({ consent }) => consent === first.id,
    );
    expect(raised).toHaveLength(1);
  });

  it('other arguments are another consent: approving the second deletes only the second', async () => {
    const [one, two] = [await client.newTask('one'), await client.newTask('two')];
    const first = elicitationOf(await client.call('delete_task', { task_id: one }));
    const second = elicitationOf(await client.call('delete_task', { task_id: two }));
    expect(second.id).not.toBe(first.id);
    await alice.approve(second.url);
    expect(elicitationOf(await client.call('delete_task', { task_id: one })).id).toBe(first.id);
    expect(structured(await client.call('delete_task', { task_id: two }))).toEqual({
      deleted: two,
    });
    expect(stack.taskIds()).toContain(one);
    expect(stack.taskIds()).not.toContain(two);
  });

  it('an identical call after success is a new wish and asks again', async () => {
    const task_id = await client.newTask('once');
    const first = elicitationOf(await client.call('delete_task', { task_id }));
    await alice.approve(first.url);
    expect(structured(await client.call('delete_task', { task_id }))).toEqual({ deleted: task_id });
    const again = elicitationOf(await client.call('delete_task', { task_id }));
    expect(again.id).not.toBe(first.id);
  });

  it('is told of a refusal with the approver’s reason, and cannot nag', async () => {
    const task_id = await client.newTask('declined');
    const asked = elicitationOf(await client.call('delete_task', { task_id }));
    expect(await alice.decline(asked.url, 'keep it')).toMatchObject({ kind: 'done' });
    for (let n = 0; n < 2; n += 1) {
      expect(structured(await client.call('delete_task', { task_id }))).toMatchObject({
        status: 'declined',
        by: 'approver',
        reason: 'keep it',
      });
    }
    expect(stack.taskIds()).toContain(task_id);
  });

  it('hears of the decision on its stream, and does not need to', async () => {
    const task_id = await client.newTask('announced');
    const asked = elicitationOf(await client.call('delete_task', { task_id }));
    await alice.approve(asked.url);
    await vi.waitFor(() => expect(client.completed).toContain(asked.id), { timeout: 10_000 });
    expect(structured(await client.call('delete_task', { task_id }))).toEqual({ deleted: task_id });
  });

  it('of three calls in one turn, one open and two gated with one approved, exactly the right ones run', async () => {
    const [one, two] = [await client.newTask('turn one'), await client.newTask('turn two')];
    const asked = elicitationOf(await client.call('delete_task', { task_id: one }));
    await alice.approve(asked.url);
    const [created, deleted, pending] = await Promise.all([
      client.call('create_task', { title: 'in the same turn' }),
      client.call('delete_task', { task_id: one }),
      client.call('delete_task', { task_id: two }),
    ]);
    expect(structured(created)).toMatchObject({ task: { title: 'in the same turn' } });
    expect(structured(deleted)).toEqual({ deleted: one });
    elicitationOf(pending);
    expect(stack.taskIds()).not.toContain(one);
    expect(stack.taskIds()).toContain(two);
  });

  it('many identical retries at once run the action once and all get its outcome', async () => {
    const task_id = await client.newTask('many');
    await alice.approve(elicitationOf(await client.call('delete_task', { task_id })).url);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.call('delete_task', { task_id })),
    );
    const done = answers.filter(({ result }) => result?.isError !== true && result !== undefined);
    expect(done.length).toBeGreaterThan(0);
    for (const answer of done) expect(structured(answer)).toEqual({ deleted: task_id });
    const executed = await stack.events('bridge', 'call.executed');
    const ids = new Set(done.map(({ result }) => result?._meta?.['io.consent-bridge/consent']));
    expect(ids.size).toBe(1);
    expect(executed.filter(({ consent }) => ids.has(consent))).toHaveLength(1);
  });

  it('a tool’s own failure after a signature is a failure, not a refusal', async () => {
    const asked = elicitationOf(await client.call('delete_task', { task_id: 't-999999' }));
    await alice.approve(asked.url);
    expect(structured(await client.call('delete_task', { task_id: 't-999999' }))).toMatchObject({
      status: 'failed',
      error: { code: 'NoSuchTask' },
    });
  });

  it('an unknown tool is a protocol error', async () => {
    await expect(client.call('drop_database')).rejects.toMatchObject({ code: -32_602 });
  });

  it('arguments the tool could not take are refused before anybody is asked', async () => {
    const answer = await client.call('delete_task', { task_id: 7 });
    expect(structured(answer)).toMatchObject({ status: 'refused', code: 'MalformedRequest' });
    expect(structured(await client.call('delete_task', {}))).toMatchObject({ status: 'refused' });
    expect(
      structured(await client.call('delete_task', { task_id: 't-1', extra: 1 })),
    ).toMatchObject({ status: 'refused' });
  });
});
