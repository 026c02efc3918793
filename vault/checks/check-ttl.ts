/**
 * Rule: the signed deadline is no further away than the vault allows.
 * Source: DESIGN section 7 (default 600 s). Refusal: PayloadDriftAtMint.
 * Without it: a signer that is wrong, or was made wrong, could give out an approval that stays good for years.
 */
import type { Consent } from '../consent.js';
import { refuse } from '../refuse.js';

export function checkTtl({ payload }: Consent, nowMs: number, maxTtlSeconds: number): void {
  if (payload.exp * 1000 - nowMs > maxTtlSeconds * 1000) {
    throw refuse('PayloadDriftAtMint', { path: 'exp' });
  }
}
