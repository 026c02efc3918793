import type { Message } from '@a2a-js/sdk';
import { resumePart } from '../extension.js';
import { dataPart, isPlainText, onlyPart } from './part.js';

/** What the asker says on a parked task. `signedPayload` is the JSON text of a SignedPayload, unread here. */
export type Resume =
  | { readonly action: 'continue' }
  | { readonly action: 'decline' }
  | { readonly action: 'signed'; readonly signedPayload: string };

export function resumeParts(resume: Resume): Message['parts'] {
  return [
    dataPart(
      resume.action === 'signed'
        ? { kind: 'resume', action: resume.action, signed_payload: resume.signedPayload }
        : { kind: 'resume', action: resume.action },
    ),
  ];
}

/** What a message on a parked task wants. Without a part of this extension it is a plain "continue". */
export function resumeOf(message: Pick<Message, 'parts'>): Resume | undefined {
  const part = onlyPart(message.parts, 'resume', resumePart);
  if (part === undefined) return isPlainText(message.parts) ? { action: 'continue' } : undefined;
  return part.action === 'signed'
    ? { action: part.action, signedPayload: part.signed_payload }
    : { action: part.action };
}

/** What an MCP elicitation came to, as a resume: `accept` is not consent, so it only asks how things stand. */
export function resumeOfElicitation(action: 'accept' | 'decline' | 'cancel'): Resume {
  return action === 'accept' ? { action: 'continue' } : { action: 'decline' };
}
