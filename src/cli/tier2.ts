/** The whole story on the real parts: four processes, real sockets, an MCP client, a passkey; then the attacks. */
import { attemptOfCall } from './agent.js';
import {
  changedArguments,
  expired,
  forged,
  hashOf,
  otherClient,
  replayedCredential,
  replayedSignature,
} from './attacks.js';
import { describe } from './attempt.js';
import type { Narration } from './narration.js';
import type { Scene } from './scene.js';
import { signedConsent } from './scene.js';
import { bystander, createTask, taskTitles } from './tasks.js';

const BYSTANDER = 'Water the plants';
/** Seconds a consent lives that is meant to be late. */
const SHORT = 2;

/** @param shortTtl seconds the approver needs at most to sign the consent that is then presented too late */
export async function tellTier2(scene: Scene, story: Narration, shortTtl = SHORT): Promise<void> {
  const { agent, takenOver, approver, caller } = scene;

  await story.chapter('The agent asks');
  story.say(
    'An MCP client connects over Streamable HTTP and says that it can show links to its user.',
  );
  story.did(`connected; tools: ${(await agent.tools()).join(' ')}`);
  const kept = await bystander(agent, BYSTANDER);
  const target = await createTask(agent, 'Cancel the old newsletter');
  story.did(`create_task made ${target} “Cancel the old newsletter”: not gated, so it ran at once`);
  const asked = await agent.call('delete_task', { task_id: target });
  if (asked.kind !== 'approval') {
    story.claim(false, `delete_task ${target}: ${describe(attemptOfCall(asked))} without a link`);
    return;
  }
  story.claim(asked.code === -32042, `delete_task ${target} did not run: ${asked.code} and a link`);
  story.say(asked.url);

  await story.chapter('The person decides');
  story.say(
    'The link opens the consent page. The person was invited there earlier and has enrolled a passkey.',
  );
  const approval = await approver.approve(asked.url);
  story.claim(
    approval.kind === 'done',
    `${caller.subject} signed in, read the action: ${describe(approval)}`,
  );
  const used = await takenOver.signed(asked.consentId);
  // Signed in time, for the last attack: its deadline passes while the story goes on.
  const late = await signedConsent(scene, kept, shortTtl).catch(() =>
    // On a busy machine even that deadline may come before the signature.
    signedConsent(scene, kept, shortTtl * 4),
  );
  story.say(`“${used.payload.binding_message}”, signed over SHA-256 ${hashOf(used)}`);

  await story.chapter('The agent calls again');
  story.say(
    'The vault verifies the signature and mints a credential; the resource server verifies both again.',
  );
  const again = await agent.call('delete_task', { task_id: target });
  story.claim(
    again.kind === 'result',
    `delete_task ${target}: ${again.kind === 'result' ? JSON.stringify(again.data) : describe(attemptOfCall(again))}`,
  );
  const left = await taskTitles(agent);
  story.claim(!left.has(target), `${target} is gone`);
  story.claim(left.get(kept) === BYSTANDER, `${kept} “${BYSTANDER}” is untouched`);

  await story.chapter('The bridge is taken over');
  story.say(
    "The attacker has the bridge's data directory and speaks to vault and resource server with its key.",
  );
  const decoy = await createTask(agent, 'Empty the archive');
  const signed = await signedConsent(scene, decoy);
  const spendable = { signed, credential: await takenOver.credential(signed) };
  await changedArguments(scene, story, spendable, kept);
  await replayedSignature(scene, story, used);
  await otherClient(scene, story, spendable);
  await replayedCredential(scene, story, spendable);
  await forged(scene, story, spendable, kept);
  await expired(scene, story, late);

  await story.chapter('What is left');
  const end = await taskTitles(agent);
  story.claim(!end.has(decoy), `${decoy} is gone, by its own signature and once`);
  story.claim(end.get(kept) === BYSTANDER, `${kept} “${BYSTANDER}” is still untouched`);
}
