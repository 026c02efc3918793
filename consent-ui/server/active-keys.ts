import { Refusal } from '../../src/contract/errors.js';
import type { ApproverKey } from '../../src/contract/wire.js';
import type { Approver } from './approver.js';
import { checkKeyActive } from './checks/check-key-active.js';
import type { Vault } from './vault-client.js';

/**
 * The approver's enrolled keys: the one they signed in with among them, or any at all for who signed in at a provider.
 * @throws Refusal Unauthenticated when that key is revoked, Unavailable when the vault cannot say
 */
export async function activeKeys(
  vault: Vault,
  approver: Approver,
): Promise<readonly ApproverKey[]> {
  const keys = await vault.keysOf(approver.approverId);
  if (approver.keyId !== undefined) checkKeyActive(approver.keyId, keys);
  else if (keys.length === 0)
    throw new Refusal('Unauthenticated', 'consent-ui', { detail: 'no active key' });
  return keys;
}
