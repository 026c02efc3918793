/** The terminal approver: reads one consent, shows all of it, and signs its canonical bytes with a local key. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { canonicalBytes } from '../contract/canonical.js';
import { displayText } from '../contract/display.js';
import type { Signature } from '../contract/payload.js';
import { form2Payload } from '../contract/payload.js';
import { decisionStatus, proposal } from '../contract/wire.js';
import { actionText } from './action-text.js';
import type { ApproverKey } from './approver-key.js';
import { readApproverKey } from './approver-key.js';
import type { ApproveOptions } from './commands/approve.js';
import { Conversation } from './conversation.js';
import { readConfig } from './data-directory.js';
import type { Answer } from './http.js';
import { attemptOf, expectOk } from './http.js';
import { algOf, signBytes, thumbprint } from './jwk.js';
import { palette } from './palette.js';
import { TerminalSession } from './terminal-session.js';
import { UsageError } from './usage-error.js';

const consentView = z.looseObject({
  id: z.string(),
  status: decisionStatus,
  payload: form2Payload,
  requested_by: proposal.shape.requested_by,
  tool: proposal.shape.tool.optional(),
  seconds_left: z.number(),
});
export type ConsentView = z.infer<typeof consentView>;

/** Returns 0 when the answer (approve or decline) was taken, 1 when it was refused or none was given. */
export async function approve(consent: string, options: ApproveOptions): Promise<number> {
  const key = readApproverKey(options.key);
  if (key.d === undefined) throw new UsageError(`${options.key} holds no private key`);
  const approver = options.approver ?? key.approver_id;
  if (approver === undefined)
    throw new UsageError(`${options.key} names no approver; add --approver ID`);
  const { origin, id } = locate(consent, options);
  const page = new TerminalSession(origin, id, key, approver);
  const view = consentView.parse(expectOk(await page.read(), 'reading the request'));
  const bytes = canonicalBytes(view.payload, 'client');
  const hash = createHash('sha256').update(bytes).digest('base64url');
  process.stdout.write(actionText(view, { bytes: bytes.length, hash }, palette(process.stdout)));
  if (view.status !== 'pending') {
    process.stdout.write(`It is already ${view.status}; there is nothing to sign.\n`);
    return 1;
  }
  const choice = await choose(options.yes);
  switch (choice.kind) {
    case 'sign':
      return report(
        await page.approve(signatureOver(bytes, key)),
        `Approved. ${view.payload.client_id} may now run exactly this, once.`,
      );
    case 'decline':
      return report(await page.decline(choice.reason), 'Declined.');
    case 'leave':
      process.stdout.write('Left undecided.\n');
      return 1;
  }
}

type Choice =
  | { readonly kind: 'sign' }
  | { readonly kind: 'decline'; readonly reason: string }
  | { readonly kind: 'leave' };

async function choose(yes: true | undefined): Promise<Choice> {
  if (yes) return { kind: 'sign' };
  const person = Conversation.open();
  if (person === undefined)
    throw new UsageError('nobody is at a terminal to ask; add --yes to approve without asking');
  try {
    const answer = await person.ask(
      'Approve exactly this? [y = sign, n = decline, Enter = leave] ',
    );
    if (/^y(es)?$/i.test(answer)) return { kind: 'sign' };
    if (!/^no?$/i.test(answer)) return { kind: 'leave' };
    const reason = await person.ask('Why not? The agent is told; Enter for no reason: ');
    return { kind: 'decline', reason };
  } finally {
    person.close();
  }
}

function report(answer: Answer, done: string): number {
  const attempt = attemptOf(answer, done);
  if (attempt.kind === 'refused')
    throw new Error(`the consent page refused: ${attempt.code} (${attempt.layer})`);
  process.stdout.write(`${displayText(done)}\n`);
  return 0;
}

function signatureOver(bytes: Uint8Array, key: ApproverKey): Signature {
  const scheme = algOf(key) === 'EdDSA' ? 'eddsa' : 'es256';
  return {
    scheme,
    key_id: thumbprint(key),
    signature: signBytes(key, bytes).toString('base64url'),
  };
}

/** A consent id, or the whole link; a link must lead to the configured page, for the signed-in session goes there. */
function locate(consent: string, { origin, data }: ApproveOptions): { origin: string; id: string } {
  const page = origin ?? readConfig(data, 'consent-ui').origin;
  if (/^[\w-]+$/.test(consent)) return { origin: page, id: consent };
  const link = URL.canParse(consent) ? new URL(consent) : undefined;
  const id = /^\/consents\/([\w-]+)$/.exec(link?.pathname ?? '')?.[1];
  if (link?.origin !== new URL(page).origin || id === undefined)
    throw new UsageError(`'${displayText(consent)}' is neither a consent id nor a link of ${page}`);
  return { origin: page, id };
}
