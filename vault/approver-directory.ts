import type { KeyObject } from 'node:crypto';
import type { SignatureScheme } from '../src/contract/payload.js';
import type { Algorithm } from './public-key.js';

/** A public key of an approver, enrolled and not revoked. */
export interface EnrolledKey {
  readonly approverId: string;
  /** RFC 7638 thumbprint. */
  readonly keyId: string;
  readonly scheme: SignatureScheme;
  readonly key: KeyObject;
  readonly alg: Algorithm | 'HS256';
  /** WebAuthn credential id, base64url; for scheme `webauthn` only. */
  readonly credentialId?: string;
}

export interface ApproverDirectory {
  /** The key, if it is this approver's and active. */
  find(approverId: string, keyId: string): EnrolledKey | undefined;
}
