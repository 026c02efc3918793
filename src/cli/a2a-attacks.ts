/** What an agent on the way, taken over, can try. Each attack says what really came of it; the narration compares. */
import { Task } from '@a2a-js/sdk';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { askOf } from '../a2a/translation/ask.js';
import { outcomePart } from '../a2a/extension.js';
import { onlyPart } from '../a2a/translation/part.js';
import { canonicalBytes } from '../contract/canonical.js';
import type { SignedPayload } from '../contract/payload.js';
import { changing } from './a2a-tampering.js';
import type { A2aScene } from './a2a-scene.js';
import { attemptOfCall } from './agent.js';
import { payloadOfAsk } from './ask-payload.js';
import type { Attempt } from './attempt.js';
import { CompromisedBridge } from './compromised-bridge.js';
import { domainDir, readConfig } from './data-directory.js';
import { attemptOf, call, expectOk } from './http.js';
import type { Narration } from './narration.js';
import { SoftwarePasskey } from './software-passkey.js';

type Part = Record<string, unknown>;

const HOP = { code: 'HopMismatch', layer: 'bridge' } as const;

/** Rewrites the call on its way down, before the leaf. */
export async function changedCall(scene: A2aScene, story: Narration, kept: string): Promise<void> {
  const wire = scene.wires.at(-1);
  const changes: [string, (part: Part) => void][] = [
    ['its arguments', (part) => (part['args'] = { task_id: kept })],
    ['its tool', (part) => (part['tool'] = 'update_task')],
    ['who it came through', (part) => (part['chain'] = [])],
  ];
  for (const [what, change] of changes) {
    if (wire !== undefined) wire.onRequest = changing('call', change);
    story.refused(
      `a call on its way to the last agent, with ${what} changed`,
      HOP,
      await anew(scene),
    );
    wire?.honest();
  }
}

/** Rewrites what the leaf asks, on its way up to the person. */
export async function changedAsk(scene: A2aScene, story: Narration): Promise<void> {
  const wire = scene.wires.at(0);
  const changes: [string, (part: Part) => void][] = [
    ['arguments', (part) => (part['authorization_details'] = '[]')],
    ['binding message', (part) => (part['binding_message'] = 'Water the plants')],
    ['expiry', (part) => (part['exp'] = Number(part['exp']) + 600)],
    ['chain of agents', (part) => (part['chain'] = [])],
    ['page', (part) => (part['consent_url'] = 'https://evil.example/consents/x')],
  ];
  for (const [what, change] of changes) {
    if (wire !== undefined) wire.onAnswer = changing('ask', change);
    story.refused(
      `an ask on its way to the person, with its ${what} changed`,
      HOP,
      await anew(scene),
    );
    wire?.honest();
  }
}

/** Resumes a task with signatures of its own making, another's, and a used one. `used` is over another action. */
export async function forgedResumes(
  scene: A2aScene,
  story: Narration,
  target: string,
  used: SignedPayload,
): Promise<void> {
  const { chain, approver, leaf } = scene;
  const task = await asFirst(scene, {
    kind: 'call',
    tool: below(scene, 'delete_task'),
    args: { task_id: target },
  });
  const ask = askOf(task.status?.message);
  if (ask === undefined) {
    story.claim(false, 'the first agent, speaking for itself, was asked for a signature');
    return;
  }
  const payload = payloadOfAsk(ask);
  const stranger = new SoftwarePasskey(chain.configs['consent-ui'].origin);
  const signature = stranger.sign(canonicalBytes(payload, 'client'));
  const claimed = { ...signature, key_id: approver.passkey.keyId };
  story.refused(
    "a resume with a signature that only claims to be the person's",
    { code: 'SignatureMismatch', layer: 'vault' },
    await resumed(scene, task, { payload, signature: claimed }),
  );
  story.refused(
    "a resume with the person's signature over another action",
    { code: 'PayloadDriftAtMint', layer: 'dispatcher' },
    await resumed(scene, task, used),
  );
  story.refused(
    'that signature, shown to the vault again by the last agent itself',
    { code: 'SignatureReplay', layer: 'vault' },
    attemptOf(await leaf.mint(used), 'a credential was minted'),
  );
  await asFirst(scene, { kind: 'resume', action: 'decline' }, task);
}

/** A credential the first agent really has, for its own resource server, at the last agent's. */
export async function ownCredential(
  { chain, first, approver, subject }: A2aScene,
  story: Narration,
  target: string,
): Promise<void> {
  const { id, data } = chain.first;
  const caller = { subject, client_id: id, scopes: ['tasks.read', 'tasks.write'] };
  const args = { task_id: target };
  const payload = first.payload(caller, 'delete_task', args);
  await approver.approve(await first.propose(payload));
  const signed = await first.signed(payload.nonce);
  const credential = await first.credential(signed);
  const bridge = { ...readConfig(data, 'bridge'), rs: chain.configs.bridge.rs };
  const atLeaf = new CompromisedBridge({ data, configs: { ...chain.configs, bridge } });
  const execution = { command: 'delete_task', args, caller, credential, signed };
  story.refused(
    "the first agent's own credential, at the last agent's resource server",
    { code: 'WrongAudience', layer: 'rs' },
    attemptOf(await atLeaf.execute(execution), 'it was executed'),
  );
}

/** The same kind of call by a client of its own, as the rate of new consents is counted by client. */
async function anew(scene: A2aScene): Promise<Attempt> {
  const { chain } = scene;
  const agent = await scene.connect(`client-${randomUUID().slice(0, 8)}`);
  const task_id = `t-${parseInt(randomUUID().slice(0, 6), 16)}`;
  const answer = await agent.call(chain.tool('delete_task'), { task_id });
  return answer.kind === 'approval'
    ? { kind: 'done', what: 'the person was asked' }
    : attemptOfCall(answer);
}

async function resumed(scene: A2aScene, task: Task, signed: SignedPayload): Promise<Attempt> {
  const signed_payload = JSON.stringify(signed);
  const after = await asFirst(scene, { kind: 'resume', action: 'signed', signed_payload }, task);
  const said = onlyPart(after.status?.message?.parts, 'outcome', outcomePart);
  return said?.status === 'refused'
    ? { kind: 'refused', code: said.code, layer: said.layer }
    : { kind: 'done', what: 'it was taken' };
}

/** Says something to the second agent with the first one's token, past the first one's own code. */
async function asFirst(
  { chain, wires }: A2aScene,
  part: object,
  on?: Pick<Task, 'id' | 'contextId'>,
): Promise<Task> {
  const [, next] = chain.agents;
  const name = next?.id.replace('agent-', '') ?? '';
  const token = readFileSync(join(domainDir(chain.first.data, 'bridge'), `${name}.token`), 'utf8');
  const ids = on === undefined ? {} : { taskId: on.id, contextId: on.contextId };
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data: part }], ...ids };
  const answer = await call(`${wires[0]?.url ?? ''}/a2a`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'a2a-version': '1.0' },
    json: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
  });
  const body = z.object({ result: z.object({ task: z.unknown() }) }).parse(expectOk(answer, 'A2A'));
  return Task.fromJSON(body.result.task);
}

/** The second agent's name for a tool of the leaf. */
function below({ chain }: A2aScene, tool: string): string {
  return chain.tool(tool).split('.').slice(1).join('.');
}
