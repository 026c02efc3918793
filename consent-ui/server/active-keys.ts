import type { ApproverKey } from '../../src/contract/wire.js';
import type { Approver } from './approver.js';
import { checkKeyActive } from './checks/check-key-active.js';
import type { Vault } from './vault-client.js';

/**
 * The approver's enrolled keys, the one they signed in with among them.
 * @throws Refusal Unauthenticated when that key is revoked, Unavailable when the vault cannot say
 */
export async function activeKeys(
  vault: Vault,
  approver: Approver,
): Promise<readonly ApproverKey[]> {
  const keys = await vault.keysOf(approver.approverId);
  checkKeyActive(approver.keyId, keys);
  return keys;
}
