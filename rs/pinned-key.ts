/** An approver's key as this server has pinned it, and which algorithms each signature scheme allows. */
import type { SignatureScheme } from '../src/contract/payload.js';
import type { PublicKey } from './public-key.js';
import type { Algorithm } from './signature-algorithms.js';

export interface PinnedKey extends PublicKey {
  readonly scheme: SignatureScheme;
  /** WebAuthn credential id, base64url; undefined for raw keys. */
  readonly credentialId: string | undefined;
}

/** A shared secret proves nothing to a second party: `hmac-sha256` is Tier 1 only, and no key of it is ever pinned. */
export const SCHEME_ALGORITHMS: Readonly<Record<SignatureScheme, readonly Algorithm[]>> = {
  webauthn: ['ES256', 'EdDSA', 'RS256'],
  eddsa: ['EdDSA'],
  es256: ['ES256'],
  'hmac-sha256': [],
};
