/**
 * Claim: An agent's own credential, really signed and really minted, opens nothing at another agent's resource server.
 * Enforced by: rs/checks/check-audience.ts, rs/checks/check-client.ts, vault/checks/check-agent.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CompromisedBridge } from '../../src/cli/compromised-bridge.js';
import { readConfig } from '../../src/cli/data-directory.js';
import { attemptOf } from '../../src/cli/http.js';
import type { JsonObject } from '../../src/contract/json.js';
import { A2aWorld } from '../support/a2a-world.js';
import { refusal } from '../support/attack-world.js';

let world: A2aWorld;
let agentA: CompromisedBridge;
/** The same A, speaking to B's resource server by its right name. */
let atB: CompromisedBridge;
beforeAll(async () => {
  world = await A2aWorld.open(1);
  const { data } = world.chain.first;
  const bridge = readConfig(data, 'bridge');
  const { configs } = world.chain;
  agentA = new CompromisedBridge({ data, configs: { ...configs, bridge } });
  atB = new CompromisedBridge({
    data,
    configs: { ...configs, bridge: { ...bridge, rs: configs.bridge.rs } },
  });
});
afterAll(() => world.close());

const scopes = ['tasks.read', 'tasks.write'];

async function ownCredential(args: JsonObject): Promise<object> {
  const caller = { subject: world.subject, client_id: 'agent-a', scopes };
  const payload = agentA.payload(caller, 'delete_task', args);
  await world.person.approve(await agentA.propose(payload));
  const signed = await agentA.signed(payload.nonce);
  const credential = await agentA.credential(signed);
  return { command: 'delete_task', args, caller, signed, credential };
}

it('A presents its own credential to B’s resource server: WrongAudience', async () => {
  const task_id = await world.newTask();
  const execution = (await ownCredential({ task_id })) as Parameters<
    CompromisedBridge['execute']
  >[0];
  expect(refusal(await atB.execute(execution))).toEqual({
    status: 403,
    code: 'WrongAudience',
    layer: 'rs',
  });
  // In the name of B's agent, too.
  const caller = { ...execution.caller, client_id: 'agent-b' };
  expect(refusal(await atB.execute({ ...execution, caller }))).toMatchObject({
    code: 'WrongAudience',
  });
  expect(world.exists(task_id)).toBe(true);
});

it('A cannot have the vault mint for B, whatever was signed', async () => {
  const task_id = await world.newTask();
  const caller = { subject: world.subject, client_id: 'agent-b', scopes };
  const payload = agentA.payload(caller, 'delete_task', { task_id });
  await world.person.approve(await agentA.propose(payload));
  const minted = attemptOf(await agentA.mint(await agentA.signed(payload.nonce)), 'minted');
  expect(minted).toEqual({ kind: 'refused', code: 'WrongClient', layer: 'vault' });
  expect(world.exists(task_id)).toBe(true);
});
