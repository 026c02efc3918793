/**
 * Rule: the key named by the signature is an active key of this approver in this server's own directory, of the scheme
 * (and, for a passkey, the credential id) it is pinned with.
 * Source: DESIGN section 3. Refusals: UnknownApprover; Unavailable if trust at enrolment is on and the vault is away.
 * Without it: whoever rules the vault's list of keys enrols a key of their own and signs as anyone.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { ApproverDirectory } from '../approver-directory.js';
import type { Passed } from '../states.js';

export async function checkApprover(
  call: Passed<'bytes'>,
  approvers: Pick<ApproverDirectory, 'find'>,
): Promise<Passed<'approver'>> {
  const { claims, signed } = call.facts;
  const { signature } = signed;
  const key = await approvers.find(claims.sub, signature.key_id);
  const sameScheme =
    key?.scheme === signature.scheme &&
    (signature.scheme !== 'webauthn' || signature.credential_id === key.credentialId);
  if (key === undefined || !sameScheme) throw new Refusal('UnknownApprover', 'rs');
  return call.pass('approver', { ...call.facts, key });
}
