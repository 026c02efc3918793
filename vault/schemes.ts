import type { SignatureScheme } from '../src/contract/payload.js';
import type { EnrolledKey } from './approver-directory.js';
import type { Consent, SignatureFacts } from './consent.js';
import { verifyHmac } from './hmac-signature.js';
import { verifyRaw } from './raw-signature.js';
import { verifyAssertion } from './webauthn-assertion.js';
import type { WebauthnExpectations } from './webauthn-client-data.js';

export type Tier = 1 | 2;

interface Scheme {
  readonly tiers: readonly Tier[];
  /**
   * Resolves if the signature covers the consent's bytes, with the authenticator's counter where the scheme has one.
   * @throws Refusal SignatureMismatch.
   */
  readonly verify: (
    consent: Consent,
    enrolled: EnrolledKey,
    expected: WebauthnExpectations,
  ) => Promise<SignatureFacts>;
}

/** Every signature scheme there is. Nothing below this table enumerates them. */
export const SCHEMES: Readonly<Record<SignatureScheme, Scheme>> = {
  webauthn: { tiers: [1, 2], verify: verifyAssertion },
  eddsa: { tiers: [1, 2], verify: verifyRaw },
  es256: { tiers: [1, 2], verify: verifyRaw },
  'hmac-sha256': { tiers: [1], verify: verifyHmac },
};
