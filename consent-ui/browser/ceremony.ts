import { canonicalBytes } from '../../src/contract/canonical.js';
import type { Payload, WebauthnSignature } from '../../src/contract/payload.js';
import type { SigningKeys } from '../consent-view.js';
import { fromBase64url, toBase64url } from './base64url.js';

/** What is signed, computed here from what is shown: the canonical bytes and their SHA-256. */
export interface Signable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digest: ArrayBuffer;
}

/** @throws Refusal MalformedPayload when the payload has no canonical bytes */
export async function signableOf(payload: Payload): Promise<Signable> {
  const bytes = canonicalBytes(payload, 'consent-ui');
  return { bytes, digest: await crypto.subtle.digest('SHA-256', bytes) };
}

/**
 * Has a passkey of this approver sign: the challenge *is* the digest of the canonical bytes (CANONICAL.md, scheme `webauthn`).
 * Must be called from a click. @throws DOMException as `navigator.credentials.get` does
 */
export async function sign(
  digest: ArrayBuffer,
  keys: SigningKeys,
  signal: AbortSignal,
): Promise<WebauthnSignature> {
  const credential = await navigator.credentials.get({
    signal,
    publicKey: {
      challenge: digest,
      rpId: keys.rp_id,
      userVerification: 'required',
      allowCredentials: keys.passkeys.map(({ credential_id }) => ({
        type: 'public-key',
        id: fromBase64url(credential_id),
      })),
    },
  });
  if (
    !(credential instanceof PublicKeyCredential) ||
    !(credential.response instanceof AuthenticatorAssertionResponse)
  ) {
    throw new DOMException('no assertion', 'NotSupportedError');
  }
  const credentialId = toBase64url(credential.rawId);
  const key = keys.passkeys.find(({ credential_id }) => credential_id === credentialId);
  if (key === undefined) throw new DOMException('not one of the keys', 'NotSupportedError');
  const { authenticatorData, clientDataJSON, signature } = credential.response;
  return {
    scheme: 'webauthn',
    key_id: key.key_id,
    credential_id: credentialId,
    authenticator_data: toBase64url(authenticatorData),
    client_data_json: toBase64url(clientDataJSON),
    signature: toBase64url(signature),
  };
}
