import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EnrolledKey } from './approver-directory.js';
import type { Consent, SignatureFacts } from './consent.js';
import { refuse } from './refuse.js';

/**
 * HMAC-SHA-256 over the canonical bytes (RFC 2104), as the source document's own signer makes it. Whoever verifies can
 * also sign, so it holds only where one process is trusted with both: Tier 1.
 * @throws Refusal SignatureMismatch.
 */
export function verifyHmac(
  { bytes, signature }: Consent,
  { key, alg }: EnrolledKey,
): Promise<SignatureFacts> {
  const made = Buffer.from(signature.signature, 'hex');
  const holds =
    alg === 'HS256' && timingSafeEqual(createHmac('sha256', key).update(bytes).digest(), made);
  return holds
    ? Promise.resolve({})
    : Promise.reject(refuse('SignatureMismatch', { detail: 'hmac-sha256: signature' }));
}
