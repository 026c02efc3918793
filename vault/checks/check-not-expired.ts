/**
 * Rule: the signed deadline has not passed.
 * Source: RFC 7519 section 4.1.4 ("on or after which ... MUST NOT be accepted"). Refusal: CredentialExpired.
 * Without it: an old approval, found in a log or a backup, would still be worth a credential.
 */
import type { Consent } from '../consent.js';
import { refuse } from '../refuse.js';

export function checkNotExpired({ payload }: Consent, nowMs: number): void {
  if (nowMs >= payload.exp * 1000) throw refuse('CredentialExpired', { path: 'exp' });
}
