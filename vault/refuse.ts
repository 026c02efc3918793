import type { RefusalCode, RefusalContext } from '../src/contract/errors.js';
import { Refusal } from '../src/contract/errors.js';

/** A refusal by the vault. `detail` goes to the vault's record only; `path` is shown to the sender. */
export function refuse(code: RefusalCode, context: RefusalContext = {}): Refusal {
  return new Refusal(code, 'vault', context);
}
