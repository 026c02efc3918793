/**
 * Rule: policy lets this approver approve this command.
 * Source: DESIGN section 7. Refusal: PolicyDenied.
 * Without it: every enrolled person could approve everybody's every action.
 */
import type { Consent } from '../consent.js';
import type { MayApprove } from '../policy.js';
import { refuse } from '../refuse.js';

export function checkPolicy({ payload }: Consent, mayApprove: MayApprove): void {
  if (!mayApprove(payload.approver_id, payload.cmd)) throw refuse('PolicyDenied');
}
