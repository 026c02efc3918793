import { posixSecondsOf } from '../clock.js';
import { sha256 } from '../digest.js';
import { unguessable } from '../random.js';
import { checkApproverId } from './approver-id.js';
import type { Operator } from './operator.js';

/**
 * Makes an invitation to enrol one passkey as this approver. It is shown once and kept as a hash.
 * @returns `expires_at` in POSIX seconds.
 */
export async function invite(
  { store, clock, random }: Operator,
  approverId: string,
  ttlSeconds: number,
): Promise<{ approver_id: string; invite: string; expires_at: number }> {
  checkApproverId(approverId);
  const [secret, expiresAt] = [unguessable(random), posixSecondsOf(clock) + ttlSeconds];
  const facts = { approver_id: approverId, expires_at: expiresAt };
  await store.commits.run(() => {
    store.invites.add(sha256(secret), approverId, expiresAt);
    store.record.append('invite.created', facts);
  });
  return { ...facts, invite: secret };
}
