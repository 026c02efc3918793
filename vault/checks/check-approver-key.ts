/**
 * Rule: the signature names a key that is enrolled for this approver, and not revoked.
 * Source: DESIGN section 7; WebAuthn L3 section 7.2 (the credential record). Refusal: UnknownApprover.
 * Without it: anyone with any key could approve in anyone's name.
 */
import type { ApproverDirectory, EnrolledKey } from '../approver-directory.js';
import type { Consent } from '../consent.js';
import { refuse } from '../refuse.js';

export function checkApproverKey(
  { payload, signature }: Consent,
  approvers: ApproverDirectory,
): EnrolledKey {
  const enrolled = approvers.find(payload.approver_id, signature.key_id);
  if (enrolled === undefined) throw refuse('UnknownApprover');
  return enrolled;
}
