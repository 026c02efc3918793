import type { Clock } from '../clock.js';
import type { Random } from '../random.js';
import type { VaultStore } from '../store/vault-store.js';

/**
 * What an operator's command works with. There is no network interface for any of this: who can run these commands has
 * access to the files of the vault's data directory, and nobody else does.
 */
export interface Operator {
  readonly store: VaultStore;
  readonly clock: Clock;
  readonly random: Random;
}
