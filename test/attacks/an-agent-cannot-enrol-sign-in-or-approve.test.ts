/**
 * Claim: Nothing an agent can call or read lets it enrol, sign in or approve.
 * Enforced by: consent-ui/server/app.ts, vault/clients.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../src/cli/http.js';
import { elicitationOf } from '../support/mcp-clients.js';
import { AttackWorld } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('nothing the agent can call enrols, signs in or approves: its tools, its token and the link are all it has', async () => {
  const task_id = await world.newTask();
  const { stack } = world;
  const asked = elicitationOf(await world.agent.call('delete_task', { task_id }));
  const { tools } = await world.agent.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'create_task',
    'delete_task',
    'get_task',
    'list_tasks',
    'update_task',
  ]);

  const token = await stack.token(world.caller.subject);
  const path = `/consents/${asked.id}`;
  const json = { accept: 'application/json' };
  const visits = await Promise.all([
    call(`${stack.origin}${path}`, { headers: json }),
    call(`${stack.origin}${path}`, { headers: { ...json, authorization: `Bearer ${token}` } }),
    call(`${stack.origin}${path}/status`, { headers: json }),
    call(`${stack.origin}/v1${path}`, { headers: { authorization: `Bearer ${token}` } }),
    call(`${stack.origin}${path}/approve`, { method: 'POST', json: { signature: {} } }),
    call(`${stack.origin}${path}/decline`, { method: 'POST', json: {} }),
    call(`${stack.origin}/enrol/options`, {
      method: 'POST',
      json: { invite: 'guess' },
      headers: { origin: stack.origin },
    }),
    call(`${stack.configs.vault.issuer}/v1/enrolments/options`, {
      method: 'POST',
      json: { invite: 'guess' },
    }),
    call(`${stack.configs.vault.issuer}/v1/approvers/${world.caller.subject}/keys`),
    call(`${stack.configs.rs.resource}/v1/execute`, {
      method: 'POST',
      json: {},
      headers: { authorization: `Bearer ${token}` },
    }),
  ]);
  for (const { status, body } of visits) {
    expect(status).toBeGreaterThanOrEqual(302);
    expect(status).not.toBe(500);
    expect(JSON.stringify(body)).not.toContain(task_id);
  }
  expect(elicitationOf(await world.agent.call('delete_task', { task_id })).id).toBe(asked.id);
  expect(await world.person.approve(asked.url)).toMatchObject({ kind: 'done' });
  expect((await world.agent.call('delete_task', { task_id })).result?.structuredContent).toEqual({
    deleted: task_id,
  });
});
