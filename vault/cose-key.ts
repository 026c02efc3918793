import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';
import type { Uint8Array_ } from '@simplewebauthn/server';
import type { JsonObject } from '../src/contract/json.js';
import type { PublicKey } from './public-key.js';
import { importPublicJwk } from './public-key.js';
import { refuse } from './refuse.js';

/** The COSE algorithms offered at enrolment, most wanted first: ES256, EdDSA, RS256. */
export const COSE_ALGORITHMS = [cose.COSEALG.ES256, cose.COSEALG.EdDSA, cose.COSEALG.RS256];

/**
 * The public key in a COSE key (RFC 9053 section 7; RFC 8230 section 4). Which algorithm it is for follows from the key
 * itself.
 * @throws Refusal CeremonyFailed if it is of no kind we asked for, or no point of its curve.
 */
export function publicKeyOfCose(coseKey: Uint8Array_): PublicKey {
  const jwk = jwkOf(coseKey);
  try {
    return importPublicJwk(jwk);
  } catch {
    throw refuse('CeremonyFailed', { detail: 'the passkey has no usable key' });
  }
}

function jwkOf(coseKey: Uint8Array_): JsonObject {
  const key = decodeCredentialPublicKey(coseKey);
  const { COSEALG, COSECRV, COSEKEYS } = cose;
  const alg = key.get(COSEKEYS.alg);
  if (
    alg === COSEALG.ES256 &&
    cose.isCOSEPublicKeyEC2(key) &&
    key.get(COSEKEYS.crv) === COSECRV.P256
  ) {
    return { kty: 'EC', crv: 'P-256', x: text(key.get(COSEKEYS.x)), y: text(key.get(COSEKEYS.y)) };
  }
  if (
    alg === COSEALG.EdDSA &&
    cose.isCOSEPublicKeyOKP(key) &&
    key.get(COSEKEYS.crv) === COSECRV.ED25519
  ) {
    return { kty: 'OKP', crv: 'Ed25519', x: text(key.get(COSEKEYS.x)) };
  }
  if (alg === COSEALG.RS256 && cose.isCOSEPublicKeyRSA(key)) {
    return { kty: 'RSA', n: text(key.get(COSEKEYS.n)), e: text(key.get(COSEKEYS.e)) };
  }
  throw refuse('CeremonyFailed', { detail: 'the passkey has a key of another kind' });
}

function text(octets: Uint8Array | undefined): string {
  return Buffer.from(octets ?? []).toString('base64url');
}
