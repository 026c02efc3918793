/**
 * Rule: `rar_type` is one the vault is configured to mint.
 * Source: RFC 9396 section 5 (the AS must refuse types it does not know). Refusal: PayloadDriftAtMint.
 * Without it: a signature given for another system, which uses its types otherwise, would be good here.
 */
import type { Consent } from '../consent.js';
import { refuse } from '../refuse.js';

export function checkRarType({ payload }: Consent, known: readonly string[]): void {
  if (!known.includes(payload.rar_type)) throw refuse('PayloadDriftAtMint', { path: 'rar_type' });
}
