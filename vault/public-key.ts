import type { KeyObject } from 'node:crypto';
import { createPublicKey, verify } from 'node:crypto';
import type { JsonObject } from '../src/contract/json.js';
import { sha256Base64url } from './digest.js';
import { refuse } from './refuse.js';

interface AlgorithmRow {
  /** Members of the public JWK in the order RFC 7638 section 3.2 hashes them. */
  readonly members: readonly string[];
  /** Digest name for node:crypto; null where the algorithm hashes by itself. */
  readonly digest: string | null;
  readonly accepts: (key: KeyObject) => boolean;
}

/** The signature algorithms of the vault. A key has exactly one, found from the key itself and never from a header. */
const ALGORITHMS = {
  ES256: {
    members: ['crv', 'kty', 'x', 'y'],
    digest: 'sha256',
    accepts: (key) => key.asymmetricKeyDetails?.namedCurve === 'prime256v1',
  },
  EdDSA: {
    members: ['crv', 'kty', 'x'],
    digest: null,
    accepts: (key) => key.asymmetricKeyType === 'ed25519',
  },
  RS256: {
    members: ['e', 'kty', 'n'],
    digest: 'sha256',
    // A small modulus can be factored; with exponent 1 anyone can sign; a huge key is a way to keep a processor busy.
    accepts: ({
      asymmetricKeyType,
      asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {},
    }) =>
      asymmetricKeyType === 'rsa' &&
      modulusLength >= 2048 &&
      modulusLength <= 4096 &&
      publicExponent >= 65537n,
  },
} as const satisfies Record<string, AlgorithmRow>;

export type Algorithm = keyof typeof ALGORITHMS;

export interface PublicKey {
  /** RFC 7638 thumbprint, SHA-256, base64url. */
  readonly keyId: string;
  readonly alg: Algorithm;
  /** The required members only, in their canonical encoding. */
  readonly jwk: JsonObject;
  /** Imported once: importing on each call costs more than verifying. */
  readonly key: KeyObject;
}

/**
 * The public key in `jwk` (EC P-256, OKP Ed25519 or RSA of 2048 to 4096 bits).
 * @throws Refusal MalformedRequest with path `public_jwk` for anything else, a private key included.
 */
export function importPublicJwk(jwk: JsonObject): PublicKey {
  if ('d' in jwk || 'k' in jwk) throw notAKey('it holds private members');
  return publicKeyOf(tryImport(jwk));
}

/**
 * The public key with its algorithm and id.
 * @throws Refusal MalformedRequest with path `public_jwk` if it is of no kind the vault knows.
 */
export function publicKeyOf(key: KeyObject): PublicKey {
  const alg = algorithms.find((name) => ALGORITHMS[name].accepts(key));
  if (alg === undefined) throw notAKey('it is not EC P-256, OKP Ed25519 or RSA 2048 to 4096');
  // Exported again, so that two encodings of one key have one id.
  const exported = new Map(Object.entries(key.export({ format: 'jwk' })));
  const jwk = Object.fromEntries(
    ALGORITHMS[alg].members.map((member) => [member, String(exported.get(member))]),
  );
  return { keyId: sha256Base64url(JSON.stringify(jwk)), alg, jwk, key };
}

/**
 * True if `signature` over `data` is by `key`. Runs in the thread pool.
 * `encoding` is that of an ECDSA signature: `der` in WebAuthn, `ieee-p1363` (r||s) in JOSE.
 */
export function verifySignature(
  { alg, key }: Pick<PublicKey, 'alg' | 'key'>,
  data: Uint8Array,
  signature: Uint8Array,
  encoding: 'der' | 'ieee-p1363',
): Promise<boolean> {
  return new Promise((resolve) => {
    const { digest } = ALGORITHMS[alg];
    verify(digest, data, { key, dsaEncoding: encoding }, signature, (error, holds) => {
      resolve(error === null && holds);
    });
  });
}

const algorithms: readonly Algorithm[] = ['ES256', 'EdDSA', 'RS256'];

function tryImport(jwk: JsonObject): KeyObject {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    throw notAKey('it cannot be imported');
  }
}

function notAKey(detail: string): Error {
  return refuse('MalformedRequest', { path: 'public_jwk', detail: `public_jwk: ${detail}` });
}
