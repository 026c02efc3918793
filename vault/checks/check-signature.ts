/**
 * Rule: the signature is of a scheme this tier takes, the one the key was enrolled for, and covers the bytes the vault
 * itself computed from the payload.
 * Source: DESIGN section 5; the scheme's own specification. Refusal: SignatureMismatch.
 * Without it: no human is needed at all.
 */
import type { EnrolledKey } from '../approver-directory.js';
import type { Consent, SignatureFacts } from '../consent.js';
import { refuse } from '../refuse.js';
import type { Tier } from '../schemes.js';
import { SCHEMES } from '../schemes.js';
import type { WebauthnExpectations } from '../webauthn-client-data.js';

export async function checkSignature(
  consent: Consent,
  enrolled: EnrolledKey,
  tier: Tier,
  webauthn: WebauthnExpectations,
): Promise<SignatureFacts> {
  const scheme = SCHEMES[consent.signature.scheme];
  if (!scheme.tiers.includes(tier) || enrolled.scheme !== consent.signature.scheme) {
    throw refuse('SignatureMismatch', { detail: `scheme ${consent.signature.scheme}` });
  }
  return scheme.verify(consent, enrolled, webauthn);
}
