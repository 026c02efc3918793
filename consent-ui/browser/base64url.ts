/** Base64url without padding (RFC 4648 section 5) of octets. */
export function toBase64url(octets: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(octets), (octet) => String.fromCharCode(octet)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @throws DOMException for text that is not base64url */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** Lowercase hexadecimal. */
export function toHex(octets: ArrayBuffer): string {
  return Array.from(new Uint8Array(octets), (octet) => octet.toString(16).padStart(2, '0')).join(
    '',
  );
}
