import type { JsonObject } from '../src/contract/json.js';
import type { Payload, Signature } from '../src/contract/payload.js';
import { checkShape } from './checks/check-shape.js';
import { sha256Base64url } from './digest.js';

/**
 * A signed payload that has its shape and can be serialised; nothing about the signature is known yet. Only
 * {@link read} makes one.
 */
export class Consent {
  protected readonly passed = 'shape';

  private constructor(
    /** Parsed back out of {@link bytes} and frozen: what is minted is what was signed, and nobody can change it meanwhile. */
    readonly payload: Payload,
    readonly form: 1 | 2,
    /** The canonical bytes (CANONICAL.md): what the human's signature must cover. */
    readonly bytes: Uint8Array,
    readonly signature: Signature,
    /** SHA-256 of the bytes, base64url. */
    readonly hash: string,
  ) {}

  /** @throws Refusal MalformedPayload, PayloadTooLarge; PayloadDriftAtMint for an unknown form. */
  static read(signed: unknown): Consent {
    const { payload, form, bytes, signature } = checkShape(signed);
    return new Consent(payload, form, bytes, signature, sha256Base64url(bytes));
  }

  /** What the record says of it: whose, which, never its arguments. */
  get recordedFacts(): JsonObject {
    const { payload, hash, signature } = this;
    return {
      hash,
      approver_id: payload.approver_id,
      key_id: signature.key_id,
      command: payload.cmd,
      exp: payload.exp,
      ...('v' in payload ? { client_id: payload.client_id, consent_id: payload.nonce } : {}),
    };
  }
}

/** What a verified signature shows beyond that it is one. */
export interface SignatureFacts {
  /** The authenticator's signature counter, where the scheme has one. */
  readonly counter?: number;
}
