/**
 * Claim: A parked task runs by the person's signature over exactly what its agent asked: fabricated, altered and replayed ones do nothing, and do not spoil the real one.
 * Enforced by: src/dispatcher/gate.ts, vault/checks/check-signature.ts, vault/checks/check-unused.ts
 */
import type { Task } from '@a2a-js/sdk';
import { TaskState } from '@a2a-js/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { payloadOfAsk } from '../../src/cli/ask-payload.js';
import { attemptOf } from '../../src/cli/http.js';
import { SoftwarePasskey } from '../../src/cli/software-passkey.js';
import { canonicalBytes } from '../../src/contract/canonical.js';
import type { Form2Payload, SignedPayload } from '../../src/contract/payload.js';
import { A2aClient, askOfTask, outcomeOfTask } from '../support/a2a-client.js';
import { A2aWorld } from '../support/a2a-world.js';

let world: A2aWorld;
let attacker: A2aClient;
beforeAll(async () => {
  world = await A2aWorld.open(1);
});
beforeEach(async () => {
  attacker = await A2aClient.connect(world.chain.leaf, world.subject);
});
afterAll(() => world.close());

async function parked(): Promise<{ task: Task; payload: Form2Payload; task_id: string }> {
  const task_id = await world.newTask();
  const task = await attacker.call('delete_task', { task_id });
  return { task, payload: payloadOfAsk(askOfTask(task)), task_id };
}

/** What the person signs when their authenticator is shown these bytes. */
function signed(payload: Form2Payload): SignedPayload {
  return { payload, signature: world.person.passkey.sign(canonicalBytes(payload, 'client')) };
}

async function present(task: Task, payload: SignedPayload): Promise<Record<string, unknown>> {
  const after = await attacker.resume(task, {
    action: 'signed',
    signed_payload: JSON.stringify(payload),
  });
  return { state: after.status?.state, ...outcomeOfTask(after) };
}

const WAITING = TaskState.TASK_STATE_AUTH_REQUIRED;

describe('presented with a resume', () => {
  it('the real signature runs it, once', async () => {
    const { task, payload, task_id } = await parked();
    expect(await present(task, signed(payload))).toMatchObject({
      status: 'success',
      result: { deleted: task_id },
    });
    expect(world.exists(task_id)).toBe(false);
  });

  it('a fabricated one: SignatureMismatch by the vault; the page stays open for the real one', async () => {
    const { task, payload, task_id } = await parked();
    const stranger = new SoftwarePasskey(world.stack.origin);
    const signature = stranger.sign(canonicalBytes(payload, 'client'));
    const forged = { payload, signature: { ...signature, key_id: world.person.passkey.keyId } };
    expect(await present(task, forged)).toMatchObject({
      state: WAITING,
      code: 'SignatureMismatch',
      layer: 'vault',
    });
    expect(await present(task, { payload, signature })).toMatchObject({
      code: 'UnknownApprover',
      layer: 'vault',
    });
    expect(world.exists(task_id)).toBe(true);
    expect((await world.person.approve(askOfTask(task).consent_url)).kind).toBe('done');
    await attacker.until(task.id, TaskState.TASK_STATE_COMPLETED);
  });

  it.each<[string, (payload: Form2Payload) => Form2Payload]>([
    ['arguments', (p) => ({ ...p, args: { task_id: 't-1' } })],
    ['binding message', (p) => ({ ...p, binding_message: 'Water the plants' })],
    ['expiry', (p) => ({ ...p, exp: p.exp + 60 })],
    ['agent', (p) => ({ ...p, client_id: 'agent-a' })],
    ['resource server', (p) => ({ ...p, aud: 'https://rs.evil.example' })],
    ['nonce', (p) => ({ ...p, nonce: 'x'.repeat(43) })],
  ])('one the person was led to give for another %s is not for this ask', async (_what, change) => {
    const { task, payload, task_id } = await parked();
    const other = signed(change(payload));
    expect(await present(task, other)).toMatchObject({
      state: WAITING,
      code: 'PayloadDriftAtMint',
      layer: 'dispatcher',
    });
    // And past the agent, at the vault: the real signature does not cover the change.
    const altered = { payload: change(payload), signature: signed(payload).signature };
    const minted = attemptOf(await world.stack.compromisedBridge().mint(altered), 'minted');
    expect(minted).toMatchObject({ kind: 'refused', layer: 'vault' });
    expect(world.exists(task_id)).toBe(true);
    await attacker.cancel(task.id);
  });

  it('one that was used, on another task or at the vault', async () => {
    const first = await parked();
    const used = signed(first.payload);
    await present(first.task, used);
    const second = await parked();
    expect(await present(second.task, used)).toMatchObject({
      state: WAITING,
      code: 'PayloadDriftAtMint',
    });
    const again = attemptOf(await world.stack.compromisedBridge().mint(used), 'minted');
    expect(again).toEqual({ kind: 'refused', code: 'SignatureReplay', layer: 'vault' });
    expect(world.exists(second.task_id)).toBe(true);
  });
});
