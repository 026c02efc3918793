import { posixSecondsOf } from '../clock.js';
import type { Operator } from './operator.js';

/** Which keys: one by its id, or all of an approver. */
export type Revocation = { readonly keyId: string } | { readonly approverId: string };

/**
 * Revokes keys. A running vault refuses them from then on.
 * @returns the ids revoked now.
 * @throws Error if there was none to revoke.
 */
export async function revokeKeys(
  { store, clock }: Operator,
  which: Revocation,
): Promise<{ revoked: string[] }> {
  const revoked = await store.commits.run(() =>
    store.approverKeys
      .all()
      .filter((row) =>
        'keyId' in which ? row.key_id === which.keyId : row.approver_id === which.approverId,
      )
      .filter(({ key_id, approver_id }) => {
        const done = store.approverKeys.revoke(key_id, posixSecondsOf(clock));
        if (done) store.record.append('approver-key.revoked', { approver_id, key_id });
        return done;
      })
      .map(({ key_id }) => key_id),
  );
  if (revoked.length === 0) throw new Error('no such active key');
  return { revoked };
}
