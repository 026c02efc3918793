/**
 * Tier 1, the composition root: the same Vault interface with everything in one process. The person's key is a shared
 * secret (HMAC), the credential an opaque id. It closes the same holes, except the one Tier 2 is for: who controls this
 * process holds the secret and can sign. The only file of the bridge that may construct the in-process Vault and the actions.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TaskStore } from '../../rs/actions/task-store.js';
import { runTask } from '../../rs/actions/tasks.js';
import { InProcessVault } from '../../vault/in-process.js';
import { memoryDirectory, octJwk } from '../../vault/memory-directory.js';
import { canonicalBytes } from '../contract/canonical.js';
import { Refusal } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type { Form2Payload, SignedPayload } from '../contract/payload.js';
import type { Vault } from '../contract/vault.js';
import type { Attempt } from './attempt.js';
import type { Narration } from './narration.js';
import { octThumbprint } from './jwk.js';

const PERSON = 'alice@example.com';
const RS = 'urn:consent-bridge:tier1';
const RAR_TYPE = 'consent_bridge_action';
const LIFETIME = 300;

/** Same story and attacks as Tier 2, where they exist with one process. */
export async function tellTier1(story: Narration): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'consent-bridge-tier1-'));
  try {
    await tell(story, join(directory, 'tasks.db'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function tell(story: Narration, taskFile: string): Promise<void> {
  let skipped = 0;
  const clock = (): number => Date.now() + skipped;
  const tasks = new TaskStore(taskFile, clock);
  const person = new HmacSigner(randomBytes(32));
  const vault: Vault = new InProcessVault({
    approvers: memoryDirectory([{ approverId: PERSON, scheme: 'hmac-sha256', jwk: person.jwk }]),
    mayApprove: (approver) => approver === PERSON,
    rarTypes: [RAR_TYPE],
    audiences: [RS],
    maxTtlSeconds: 600,
    webauthn: { rpId: 'localhost', origins: [] },
    clock,
    random: randomBytes,
  });
  const propose = (task_id: string): Form2Payload => proposal(task_id, clock());
  const consumeAndRun = async (credential: string, args: JsonObject): Promise<Attempt> => {
    const consumed = await attempt(vault.consume(credential, 'delete_task', args));
    if (consumed.kind === 'refused') return consumed;
    return { kind: 'done', what: JSON.stringify(runTask(tasks, 'delete_task', args)) };
  };

  await story.chapter('Propose, sign, mint, consume');
  story.say(
    'Tier 1: one process. The person holds a secret the vault shares; the credential is an opaque id.',
  );
  const kept = tasks.create('Water the plants', undefined).id;
  const target = tasks.create('Cancel the old newsletter', undefined).id;
  story.did(`two tasks: ${kept} “Water the plants”, ${target} “Cancel the old newsletter”`);
  const signed = person.sign(propose(target));
  story.did(`${PERSON} signed “${signed.payload.binding_message}” with HMAC-SHA-256`);
  const { credential } = await vault.mint(signed);
  story.did('the vault verified the signature and minted an opaque credential');

  await story.chapter('Attacks');
  story.say('The model, or whoever feeds it, tries to get something else through the same vault.');
  const args = { task_id: target };
  const changed = { task_id: kept };
  story.refused(
    `the signed payload with its arguments changed to ${kept}`,
    { code: 'SignatureMismatch', layer: 'vault' },
    await attempt(vault.mint({ ...signed, payload: { ...signed.payload, args: changed } })),
  );
  story.refused(
    `the genuine credential with its arguments changed to ${kept}`,
    { code: 'CredentialDrift', layer: 'vault' },
    await consumeAndRun(credential, changed),
  );
  story.refused(
    'the signature that already minted a credential, again',
    { code: 'SignatureReplay', layer: 'vault' },
    await attempt(vault.mint(signed)),
  );
  const relabelled = { ...signed.payload, client_id: 'another-agent' };
  story.refused(
    "one agent's approval, relabelled for another agent",
    { code: 'SignatureMismatch', layer: 'vault' },
    await attempt(vault.mint({ ...signed, payload: relabelled })),
  );
  const ran = await consumeAndRun(credential, args);
  story.claim(ran.kind === 'done', `the signed action ran once, as it may: ${target} is deleted`);
  story.refused(
    'the same credential a second time',
    { code: 'CredentialReplay', layer: 'vault' },
    await consumeAndRun(credential, args),
  );
  const forgery = new HmacSigner(randomBytes(32)).sign(propose(kept));
  story.refused(
    'a signature with a secret nobody enrolled',
    { code: 'UnknownApprover', layer: 'vault' },
    await attempt(vault.mint(forgery)),
  );
  story.refused(
    'the same signature, claiming to be by the enrolled secret',
    { code: 'SignatureMismatch', layer: 'vault' },
    await attempt(
      vault.mint({ ...forgery, signature: { ...forgery.signature, key_id: person.keyId } }),
    ),
  );
  story.refused(
    'a credential the vault never minted',
    { code: 'UnknownIssuer', layer: 'vault' },
    await consumeAndRun(randomBytes(32).toString('base64url'), changed),
  );
  const late = person.sign(propose(kept));
  const unused = await vault.mint(person.sign(propose(kept)));
  skipped = (LIFETIME + 1) * 1000;
  story.refused(
    'a genuine signature after its deadline',
    { code: 'CredentialExpired', layer: 'vault' },
    await attempt(vault.mint(late)),
  );
  story.refused(
    'a genuine credential after its deadline',
    { code: 'CredentialExpired', layer: 'vault' },
    await consumeAndRun(unused.credential, changed),
  );

  await story.chapter('What is left');
  story.say(
    'Not closed by Tier 1: who takes over this process holds the secret and can sign. Tier 2 closes that.',
  );
  story.claim(tasks.get(target) === undefined, `${target} is gone, by its own signature and once`);
  story.claim(tasks.get(kept) !== undefined, `${kept} “Water the plants” is untouched`);
  tasks.close();
}

function proposal(task_id: string, nowMs: number): Form2Payload {
  return {
    v: 2,
    cmd: 'delete_task',
    args: { task_id },
    rar_type: RAR_TYPE,
    exp: Math.floor(nowMs / 1000) + LIFETIME,
    approver_id: PERSON,
    binding_message: `Delete task ${task_id}`,
    aud: RS,
    client_id: 'walkthrough-agent',
    nonce: randomBytes(32).toString('base64url'),
  };
}

/** The person, played by a shared secret. */
class HmacSigner {
  readonly jwk: JsonObject;
  readonly keyId: string;

  constructor(private readonly secret: Buffer) {
    this.jwk = octJwk(secret);
    this.keyId = octThumbprint(secret);
  }

  sign(payload: Form2Payload): SignedPayload & { readonly payload: Form2Payload } {
    const mac = createHmac('sha256', this.secret).update(canonicalBytes(payload, 'client'));
    const signature = mac.digest('hex');
    return { payload, signature: { scheme: 'hmac-sha256', key_id: this.keyId, signature } };
  }
}

async function attempt(promise: Promise<unknown>): Promise<Attempt> {
  try {
    await promise;
    return { kind: 'done', what: 'it was accepted' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: 'refused', code: error.code, layer: error.layer };
  }
}
