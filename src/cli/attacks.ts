/** What a bridge that was taken over can try. Each attack says what really came of it; the narration compares. */
import { createHash, sign, generateKeyPairSync } from 'node:crypto';
import { canonicalBytes } from '../contract/canonical.js';
import type { SignedPayload } from '../contract/payload.js';
import type { Attempt } from './attempt.js';
import type { Answer } from './http.js';
import { attemptOf } from './http.js';
import type { Narration } from './narration.js';
import type { Scene } from './scene.js';
import { SoftwarePasskey } from './software-passkey.js';

/** A signed consent with the credential minted for it, not used yet. */
export interface Spendable {
  readonly signed: SignedPayload;
  readonly credential: string;
}

const minted = (answer: Answer): Attempt => attemptOf(answer, 'a credential was minted');
const executed = (answer: Answer): Attempt => attemptOf(answer, 'it was executed');

/** The same signature over another task, and the right credential beside another task. */
export async function changedArguments(
  { takenOver, caller }: Scene,
  story: Narration,
  { signed, credential }: Spendable,
  otherTask: string,
): Promise<void> {
  const args = { task_id: otherTask };
  const altered = { ...signed, payload: { ...signed.payload, args } };
  story.refused(
    `the signed payload with its arguments changed to ${otherTask}, shown to the vault`,
    { code: 'SignatureMismatch', layer: 'vault' },
    minted(await takenOver.mint(altered)),
  );
  const execution = { command: 'delete_task', args, caller, credential, signed };
  story.refused(
    `a genuine credential with its arguments changed to ${otherTask}, shown to the resource server`,
    { code: 'CredentialDrift', layer: 'rs' },
    executed(await takenOver.execute(execution)),
  );
}

export async function replayedSignature(
  { takenOver }: Scene,
  story: Narration,
  used: SignedPayload,
): Promise<void> {
  story.refused(
    'the signature that already minted a credential, shown to the vault again',
    { code: 'SignatureReplay', layer: 'vault' },
    minted(await takenOver.mint(used)),
  );
}

export async function otherClient(
  { takenOver, caller }: Scene,
  story: Narration,
  { signed, credential }: Spendable,
): Promise<void> {
  const { cmd: command, args } = signed.payload;
  const other = { ...caller, client_id: 'another-agent' };
  story.refused(
    "one agent's credential, used for another agent",
    { code: 'WrongClient', layer: 'rs' },
    executed(await takenOver.execute({ command, args, caller: other, credential, signed })),
  );
}

/** Spends the credential once, as it may, and then again. */
export async function replayedCredential(
  { takenOver, caller }: Scene,
  story: Narration,
  { signed, credential }: Spendable,
): Promise<void> {
  const { cmd: command, args } = signed.payload;
  const execution = { command, args, caller, credential, signed };
  const first = executed(await takenOver.execute(execution));
  story.claim(
    first.kind === 'done',
    `the signed action ran once, as it may: ${JSON.stringify(args)}`,
  );
  story.refused(
    'the same credential a second time',
    { code: 'CredentialReplay', layer: 'rs' },
    executed(await takenOver.execute(execution)),
  );
}

/** No approval at all; signatures by a key nobody enrolled; a credential signed by a key that is not the vault's. */
export async function forged(
  { takenOver, caller, stack }: Scene,
  story: Narration,
  { signed, credential }: Spendable,
  target: string,
): Promise<void> {
  const args = { task_id: target };
  story.refused(
    'no credential at all',
    { code: 'ApprovalRequired', layer: 'rs' },
    executed(await takenOver.execute({ command: 'delete_task', args, caller })),
  );
  const payload = takenOver.payload(caller, 'delete_task', args);
  const stranger = new SoftwarePasskey(stack.configs['consent-ui'].origin);
  const signature = stranger.sign(canonicalBytes(payload, 'client'));
  story.refused(
    'a signature by a passkey nobody enrolled',
    { code: 'UnknownApprover', layer: 'vault' },
    minted(await takenOver.mint({ payload, signature })),
  );
  const claimed = { ...signature, key_id: signed.signature.key_id };
  story.refused(
    'the same signature, claiming to be by the enrolled key',
    { code: 'SignatureMismatch', layer: 'vault' },
    minted(await takenOver.mint({ payload, signature: claimed })),
  );
  const execution = {
    command: 'delete_task',
    args,
    caller,
    credential: reSigned(credential),
    signed,
  };
  story.refused(
    "a credential signed by a key that is not the vault's",
    { code: 'UnknownIssuer', layer: 'rs' },
    executed(await takenOver.execute(execution)),
  );
}

export async function expired(
  { takenOver }: Scene,
  story: Narration,
  late: SignedPayload,
): Promise<void> {
  const remaining = late.payload.exp * 1000 - Date.now();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, remaining + 100)));
  story.refused(
    'a genuine signature, shown to the vault after its deadline',
    { code: 'CredentialExpired', layer: 'vault' },
    minted(await takenOver.mint(late)),
  );
}

/** The header and claims of a real credential under a signature by a fresh key. */
function reSigned(credential: string): string {
  const input = credential.slice(0, credential.lastIndexOf('.'));
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** SHA-256 of the bytes the person signed, base64url: what page, vault and resource server all compute. */
export function hashOf({ payload }: Pick<SignedPayload, 'payload'>): string {
  return createHash('sha256').update(canonicalBytes(payload, 'client')).digest('base64url');
}
