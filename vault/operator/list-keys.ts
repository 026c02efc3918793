import type { Operator } from './operator.js';

/** Every approver key there is or was, without what only the vault needs. Times in POSIX seconds. */
export function listKeys({ store }: Operator, approverId: string | undefined) {
  return store.approverKeys
    .all()
    .filter(({ approver_id }) => approverId === undefined || approver_id === approverId)
    .map(({ approver_id, key_id, scheme, credential_id, label, created_at, revoked_at }) => ({
      ...{ approver_id, key_id, scheme, credential_id, label, created_at, revoked_at },
    }));
}
