import type { EnrolledKey } from './approver-directory.js';
import type { Consent, SignatureFacts } from './consent.js';
import { verifySignature } from './public-key.js';
import { refuse } from './refuse.js';

/**
 * A signature over the canonical bytes themselves, by a terminal or hardware-key approver: Ed25519 (RFC 8032) or ECDSA
 * P-256 as r||s (RFC 7518 section 3.4). The bytes start with `{"`, so no JWT signed with the same key can stand in.
 * @throws Refusal SignatureMismatch.
 */
export async function verifyRaw(
  { bytes, signature }: Consent,
  { key, alg }: EnrolledKey,
): Promise<SignatureFacts> {
  const made = Buffer.from(signature.signature, 'base64url');
  const holds = alg !== 'HS256' && (await verifySignature({ key, alg }, bytes, made, 'ieee-p1363'));
  if (!holds) throw refuse('SignatureMismatch', { detail: `${signature.scheme}: signature` });
  return {};
}
