/**
 * Claim: Ids of tasks, consents and elicitations grant nothing: a forged or borrowed one reaches no call, no page and no other caller.
 * Enforced by: src/a2a/agent/task-store.ts, src/a2a/host/watches.ts, src/a2a/host/remote-calls.ts
 */
import { TaskState } from '@a2a-js/sdk';
import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { A2aClient } from '../support/a2a-client.js';
import { A2aWorld } from '../support/a2a-world.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';

let world: A2aWorld;
beforeAll(async () => {
  world = await A2aWorld.open(1);
});
afterAll(() => world.close());

it('another client’s task can be neither read, resumed, cancelled nor listened to', async () => {
  const task_id = await world.newTask();
  const owner = await A2aClient.connect(world.chain.leaf, world.subject);
  const thief = await A2aClient.connect(world.chain.leaf, world.subject);
  const task = await owner.call('delete_task', { task_id });
  await expect(thief.get(task.id)).rejects.toThrow(/not found/i);
  await expect(thief.resume(task, { action: 'decline' })).rejects.toThrow(/not found/i);
  await expect(thief.cancel(task.id)).rejects.toThrow(/not found/i);
  await expect(thief.client.resubscribeTask({ tenant: '', id: task.id }).next()).rejects.toThrow();
  const config = {
    tenant: '',
    id: '',
    taskId: task.id,
    url: world.chain.first.url,
    token: '',
    authentication: undefined,
  };
  await expect(thief.client.createTaskPushNotificationConfig(config)).rejects.toThrow(/not found/i);
  expect((await owner.get(task.id)).status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
  await owner.cancel(task.id);
});

it('the consent id of the leaf is no elicitation id of the host, and the host’s is no consent of the leaf', async () => {
  const task_id = await world.newTask();
  const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
  const consent = asked.url.split('/').at(-1)!;
  expect(asked.id).not.toBe(consent);
  const url = `${world.stack.origin}/consents/${asked.id}`;
  expect((await world.person.approve(url)).kind).toBe('refused');
  expect(world.exists(task_id)).toBe(true);
});

it('a forged notification is not taken, and a true one only makes the host look again', async () => {
  const task_id = await world.newTask();
  const { id } = elicitationOf(await world.host.call(world.tool, { task_id }));
  const body = JSON.stringify({
    statusUpdate: { taskId: 'x', status: { state: 'TASK_STATE_COMPLETED' } },
  });
  for (const token of [undefined, '', 'guess', 'x'.repeat(43)]) {
    const headers = {
      'content-type': 'application/a2a+json',
      ...(token === undefined ? {} : { 'x-a2a-notification-token': token }),
    };
    const answer = await request(`${world.chain.first.url}/a2a/notifications/${id}`, {
      method: 'POST',
      headers,
      body,
    });
    expect(answer.statusCode).toBe(404);
    await answer.body.dump();
  }
  expect(elicitationOf(await world.host.call(world.tool, { task_id })).id).toBe(id);
});

it('the same call by another client of the host is another question', async () => {
  const task_id = await world.newTask();
  const first = elicitationOf(await world.host.call(world.tool, { task_id }));
  const other = await A2aWorld.hostOf(
    world.chain,
    await world.chain.token(world.subject, 'other-client'),
  );
  const second = elicitationOf(await other.call(world.tool, { task_id }));
  expect(second.url).not.toBe(first.url);
  await world.person.approve(second.url);
  expect(elicitationOf(await world.host.call(world.tool, { task_id })).url).toBe(first.url);
  expect(structured(await other.call(world.tool, { task_id }))).toEqual({ deleted: task_id });
  await other.close();
});

it('somebody for whom the host holds no token gets no one else’s', async () => {
  const bob = await A2aWorld.hostOf(
    world.chain,
    await world.chain.token('bob@example.com', 'claude'),
  );
  const before = world.lastWire.passed.length;
  expect(structured(await bob.call(world.tool, { task_id: 't-1' }))).toMatchObject({
    code: 'Forbidden',
    layer: 'bridge',
  });
  expect(world.lastWire.passed.length).toBe(before);
  await bob.close();
});

it.each(['a/b?c', '"; DROP TABLE task; --', '../../etc/passwd', '\u202E\u0000', '💥'])(
  'task id %j is just unknown',
  async (id) => {
    const client = await A2aClient.connect(world.chain.leaf, world.subject);
    await expect(client.get(id)).rejects.toThrow(/not found/i);
  },
);
