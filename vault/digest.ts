import { createHash } from 'node:crypto';

/** SHA-256, 32 octets. */
export function sha256(data: Uint8Array | string): Buffer {
  return createHash('sha256').update(data).digest();
}

/** SHA-256 as 43 characters of base64url: a digest, a key id (RFC 7638), a WebAuthn challenge. */
export function sha256Base64url(data: Uint8Array | string): string {
  return sha256(data).toString('base64url');
}
