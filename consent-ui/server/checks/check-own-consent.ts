import { Refusal } from '../../../src/contract/errors.js';

/**
 * Rule: a consent is shown to, and decided by, the approver its signed bytes name.
 * Source: "Life of a consent" in SECURITY.md. Refusal: `Forbidden`, with nothing of the action.
 * Without it: whoever has the link and any passkey here reads the arguments, and can decline in another's name.
 */
export function checkOwnConsent(approverId: string, expectedApproverId: string): void {
  if (approverId !== expectedApproverId) throw new Refusal('Forbidden', 'consent-ui');
}
