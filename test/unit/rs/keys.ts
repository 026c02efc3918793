/** Test keys and signers made by hand from node:crypto: nothing here is shared with the code under test. */
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { canonicalBytes } from '../../../src/contract/canonical.js';
import type { Payload, Signature, SignedPayload } from '../../../src/contract/payload.js';

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: JsonWebKey;
  readonly keyId: string;
  readonly alg: 'ES256' | 'EdDSA' | 'RS256';
}

export const b64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
export const sha256 = (bytes: Uint8Array | string): Buffer =>
  createHash('sha256').update(bytes).digest();

export function thumbprint(jwk: JsonWebKey): string {
  const { crv, e, kty, n, x, y } = jwk;
  const required =
    kty === 'EC' ? { crv, kty, x, y } : kty === 'OKP' ? { crv, kty, x } : { e, kty, n };
  return b64(sha256(JSON.stringify(required)));
}

export function keyPair(alg: KeyPair['alg'] = 'ES256'): KeyPair {
  const { privateKey, publicKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = publicKey.export({ format: 'jwk' });
  return { privateKey, publicKey, jwk, keyId: thumbprint(jwk), alg };
}

export function rawSign(pair: KeyPair, bytes: Uint8Array): Buffer {
  const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' as const };
  return sign(pair.alg === 'EdDSA' ? null : 'sha256', bytes, key);
}

/** Compact JWS with any header at all. */
export function jws(pair: KeyPair, header: object, claims: unknown): string {
  const input = `${b64(JSON.stringify(header))}.${b64(JSON.stringify(claims))}`;
  return `${input}.${b64(rawSign(pair, Buffer.from(input)))}`;
}

/** A raw (terminal) signature of a payload. */
export function signRaw(pair: KeyPair, payload: Payload): SignedPayload {
  const scheme = pair.alg === 'EdDSA' ? 'eddsa' : 'es256';
  const signature = b64(rawSign(pair, canonicalBytes(payload, 'rs')));
  return { payload, signature: { scheme, key_id: pair.keyId, signature } };
}

export interface Ceremony {
  readonly type?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly challenge?: string;
  readonly clientData?: object;
  readonly clientDataText?: string;
  readonly trailing?: Uint8Array;
  readonly credentialId?: string;
}

/** A WebAuthn assertion by hand; every part can be bent. */
export function assertion(pair: KeyPair, payload: Payload, bent: Ceremony = {}): Signature {
  const clientDataJson =
    bent.clientDataText ??
    JSON.stringify({
      type: bent.type ?? 'webauthn.get',
      challenge: bent.challenge ?? b64(sha256(canonicalBytes(payload, 'rs'))),
      origin: bent.origin ?? 'http://localhost:8421',
      crossOrigin: false,
      ...bent.clientData,
    });
  const authenticatorData = Buffer.concat([
    sha256(bent.rpId ?? 'localhost'),
    Buffer.from([bent.flags ?? 0x05]),
    Buffer.from([0, 0, 0, 7]),
    bent.trailing ?? Buffer.alloc(0),
  ]);
  const signed = Buffer.concat([authenticatorData, sha256(clientDataJson)]);
  return {
    scheme: 'webauthn',
    key_id: pair.keyId,
    credential_id: bent.credentialId ?? credentialIdOf(pair),
    authenticator_data: b64(authenticatorData),
    client_data_json: b64(clientDataJson),
    signature: b64(sign(pair.alg === 'EdDSA' ? null : 'sha256', signed, pair.privateKey)),
  };
}

export function credentialIdOf(pair: KeyPair): string {
  return b64(sha256(`credential of ${pair.keyId}`));
}

export function jti(atMs: number): string {
  return atMs.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
}
