/**
 * Rule: a payload is of form 1 (no `v`) or form 2 (`v` is 2).
 * Source: DESIGN section 5. Refusal: PayloadDriftAtMint.
 * Without it: a payload of a form that says more (or less) than the vault reads would be minted as if it said the same.
 */
import type { JsonObject } from '../../src/contract/json.js';
import { refuse } from '../refuse.js';

export function checkKnownForm(payload: JsonObject): 1 | 2 {
  if (!Object.hasOwn(payload, 'v')) return 1;
  if (payload['v'] === 2) return 2;
  throw refuse('PayloadDriftAtMint', { path: 'v' });
}
