/**
 * Rule: the client that asks may act for the agent the human named in `client_id` (form 2; form 1 names none).
 * Source: RFC 6749 section 5.2 (a grant issued to another client). Refusal: WrongClient.
 * Without it: any client that gets hold of a signed payload could have the credential that belongs to another.
 */
import type { Consent } from '../consent.js';
import { refuse } from '../refuse.js';

export function checkAgent({ payload }: Consent, mayActFor: (clientId: string) => boolean): void {
  if ('client_id' in payload && !mayActFor(payload.client_id)) {
    throw refuse('WrongClient', { path: 'client_id' });
  }
}
