/**
 * Claim: No agent on the way can change the call, or who it came through, before the person is asked.
 * Enforced by: src/a2a/signing/hop-link.ts, src/a2a/host/checked-ask.ts
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentIdentity } from '../../src/a2a/signing/agent-keys.js';
import { makeLink } from '../../src/a2a/signing/hop-link.js';
import { domainDir } from '../../src/cli/data-directory.js';
import { canonicalJson } from '../../src/contract/canonical.js';
import { A2aClient, outcomeOfTask } from '../support/a2a-client.js';
import { A2aWorld } from '../support/a2a-world.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';
import { changing, partsOf } from '../../src/cli/a2a-tampering.js';

let world: A2aWorld;
beforeAll(async () => {
  world = await A2aWorld.open(2);
});
beforeEach(() => world.freshHost());
afterEach(() => world.lastWire.honest());
afterAll(() => world.close());

const raised = async (): Promise<number> =>
  (await world.stack.events('bridge', 'consent.raised')).length;

describe('somebody between B and C changes', () => {
  const changes: [string, (call: Record<string, unknown>) => void][] = [
    ['the arguments', (call) => (call['args'] = { task_id: 't-999' })],
    ['the tool', (call) => (call['tool'] = 'update_task')],
    [
      'the chain: leaves out the first',
      (call) => (call['chain'] = (call['chain'] as string[]).slice(1)),
    ],
    ['the chain: another order', (call) => (call['chain'] as string[]).reverse()],
    [
      'the chain: twice the same',
      (call) => (call['chain'] = (call['chain'] as string[]).flatMap((l) => [l, l])),
    ],
  ];
  it.each(changes)('%s: the leaf asks nobody', async (_what, change) => {
    const task_id = await world.newTask();
    const before = await raised();
    world.lastWire.onRequest = changing('call', change);
    const answer = structured(await world.host.call(world.tool, { task_id }));
    expect(answer).toMatchObject({ status: 'refused', code: 'HopMismatch', layer: 'bridge' });
    expect(await raised()).toBe(before);
    expect(world.exists(task_id)).toBe(true);
  });

  it('the chain: leaves it out whole, so the person is not sent to sign', async () => {
    const task_id = await world.newTask();
    world.lastWire.onRequest = changing('call', (call) => delete call['chain']);
    const answer = structured(await world.host.call(world.tool, { task_id }));
    expect(answer).toMatchObject({ code: 'HopMismatch', path: 'chain' });
    expect(world.exists(task_id)).toBe(true);
  });
});

it('B itself, with its key and its token, cannot put its own call into A’s mouth', async () => {
  const [, b, c] = world.chain.agents;
  const task_id = await world.newTask();
  elicitationOf(await world.host.call(world.tool, { task_id }));
  const said = world.lastWire.passed.flatMap(({ body }) => partsOf(body, 'call')).at(-1)!;
  const [first] = said['chain'] as string[];
  const identity = await agentIdentity(b!.id, b!.key);
  const args = { task_id: 't-999' };
  const link = await makeLink(
    identity,
    c!.id,
    { tool: 'delete_task', canonicalArgs: canonicalJson(args, 2, 'client') },
    [{ agent: 'agent-a', link: first! }],
    Math.floor(Date.now() / 1000),
  );
  const token = readFileSync(join(domainDir(b!.data, 'bridge'), 'c.token'), 'utf8');
  const attacker = await A2aClient.with(c!.url, token);
  const before = await raised();
  const task = await attacker.call('delete_task', args, { chain: [first!, link] });
  expect(outcomeOfTask(task)).toMatchObject({ code: 'HopMismatch', path: 'chain[0]' });
  expect(await raised()).toBe(before);
});
