import type { RefusalCode } from '../contract/errors.js';
import type { Consent } from '../store/consents.js';

/** What the gate does next for a call, given the newest consent of that call. */
export type Step = 'open' | 'ask' | 'mint' | 'execute' | 'expire' | 'tell';

/** Seconds after a refusal by the approver before an identical call may ask again, so an agent cannot nag. */
export const DECLINE_COOL_DOWN_S = 60;

/**
 * The life of a consent as a pure function (DESIGN section 8). A result is told once; the call after that is a new
 * wish and opens a fresh consent, except that a refusal by the approver keeps being told during the cool-down.
 * @param now POSIX seconds
 */
export function nextStep(consent: Consent | undefined, now: number): Step {
  if (consent === undefined) return 'open';
  switch (consent.state) {
    case 'pending':
      return 'ask';
    case 'approved':
      return now >= consent.exp ? 'expire' : 'mint';
    case 'minted':
      return 'execute';
    case 'expired':
      return 'open';
    case 'settled':
      return !consent.told || coolingDown(consent, now) ? 'tell' : 'open';
  }
}

function coolingDown(consent: Consent, now: number): boolean {
  const { result } = consent;
  const byApprover = result?.kind === 'Declined' && result.by === 'approver';
  const since = now - (consent.decidedAt ?? 0);
  // Below 0 the clock was set back: the cool-down must not last until it is there again.
  return byApprover && since >= 0 && since < DECLINE_COOL_DOWN_S;
}

/**
 * Refusals after which a signed consent can still succeed: something was unreachable, or an operator may yet trust a
 * key, grant a scope or change a policy. The consent stays as it is until its deadline; every other refusal is final.
 */
const STILL_OPEN: readonly RefusalCode[] = [
  'Unavailable',
  'Unauthenticated',
  'RateLimited',
  'Internal',
  'UnknownApprover',
  'PolicyDenied',
  'Unauthorized',
  'UnknownIssuer',
  'Forbidden',
];

export function isFinal(code: RefusalCode): boolean {
  return !STILL_OPEN.includes(code);
}
