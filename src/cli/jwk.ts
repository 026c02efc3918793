/** Keys as JWKs (RFC 7517) and the compact JWS (RFC 7515) that services and terminal approvers present. */
import type { JsonWebKey } from 'node:crypto';
import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { JsonObject } from '../contract/json.js';

export type SigningAlg = 'ES256' | 'EdDSA';

/** A private JWK: EC P-256 or OKP Ed25519, `d` included. */
export type PrivateJwk = JsonWebKey & { readonly kid: string; readonly alg: SigningAlg };

/** A fresh private JWK whose `kid` is its RFC 7638 thumbprint. */
export function generateJwk(alg: SigningAlg): PrivateJwk {
  const { privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  const jwk = privateKey.export({ format: 'jwk' });
  return { ...jwk, alg, kid: thumbprint(jwk) };
}

/** The public half: every private member is left behind. */
export function publicJwk(jwk: JsonWebKey): JsonObject {
  const { kty, crv, x, y } = jwk;
  if (kty === undefined || crv === undefined || x === undefined)
    throw new Error('not an EC or OKP key');
  return {
    kty,
    crv,
    x,
    ...(y === undefined ? {} : { y }),
    kid: thumbprint(jwk),
    alg: algOf(jwk),
  };
}

/** RFC 7638: SHA-256 over the required members in lexicographic order, base64url. */
export function thumbprint(jwk: JsonWebKey): string {
  return createHash('sha256')
    .update(JSON.stringify(requiredMembers(jwk)))
    .digest('base64url');
}

function requiredMembers({ kty, crv, x, y, e, n }: JsonWebKey): object {
  if (kty === 'EC') return { crv, kty, x, y };
  return kty === 'RSA' ? { e, kty, n } : { crv, kty, x };
}

/** The same for a shared secret as an `oct` JWK (RFC 7518 section 6.4). */
export function octThumbprint(secret: Uint8Array): string {
  const members = { k: Buffer.from(secret).toString('base64url'), kty: 'oct' };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}

/** ES256 for P-256, EdDSA for Ed25519; anything else is refused. */
export function algOf(jwk: JsonWebKey): SigningAlg {
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256';
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') return 'EdDSA';
  throw new Error('the key must be EC P-256 or OKP Ed25519');
}

/** Signature over `bytes` as JOSE writes it (RFC 7518 section 3.4, RFC 8037): 64 octets for both algorithms. */
export function signBytes(jwk: JsonWebKey, bytes: Uint8Array): Buffer {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return algOf(jwk) === 'ES256'
    ? sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })
    : sign(null, bytes, key);
}

/** Compact JWS with `alg` and `kid` of the key. `typ` is required: it is what keeps one kind of token from passing for another. */
export function signJwt(
  jwk: JsonWebKey,
  header: { readonly typ: string; readonly kid?: string },
  claims: JsonObject,
): string {
  const head = { alg: algOf(jwk), kid: thumbprint(jwk), ...header };
  const input = `${encode(head)}.${encode(claims)}`;
  return `${input}.${signBytes(jwk, Buffer.from(input)).toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
