/** The algorithms this server verifies, one data table; nothing outside it names a digest or an encoding. */
import type { KeyObject } from 'node:crypto';
import { verify } from 'node:crypto';

interface Parameters {
  /** Digest for node:crypto; null where the algorithm brings its own. */
  readonly digest: 'sha256' | null;
  /** Octets of a signature in its JOSE form; undefined where the key decides. */
  readonly octets: number | undefined;
}

const ALGORITHMS = {
  /** ECDSA P-256 with SHA-256 (RFC 7518 section 3.4). */
  ES256: { digest: 'sha256', octets: 64 },
  /** Ed25519 (RFC 8037 section 3.1). */
  EdDSA: { digest: null, octets: 64 },
  /** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3). WebAuthn only. */
  RS256: { digest: 'sha256', octets: undefined },
} as const satisfies Record<string, Parameters>;

export type Algorithm = keyof typeof ALGORITHMS;

/** How ECDSA signatures are written: `raw` is r||s (JOSE), `der` an ASN.1 sequence (WebAuthn L3 section 6.5.5). */
export type EcdsaEncoding = 'raw' | 'der';

interface VerifyingKey {
  readonly algorithm: Algorithm;
  readonly keyObject: KeyObject;
}

/**
 * Verifies in the thread pool, with the algorithm the key is pinned to. Never throws: what cannot be a signature is none.
 */
export function verifySignature(
  key: VerifyingKey,
  bytes: Uint8Array,
  signature: Uint8Array,
  encoding: EcdsaEncoding,
): Promise<boolean> {
  const { digest, octets } = ALGORITHMS[key.algorithm];
  const der = key.algorithm === 'ES256' && encoding === 'der';
  if (!der && octets !== undefined && signature.length !== octets) return Promise.resolve(false);
  return new Promise((resolve) => {
    verify(
      digest,
      bytes,
      { key: key.keyObject, dsaEncoding: der ? 'der' : 'ieee-p1363' },
      signature,
      (error, valid) => resolve(error === null && valid),
    );
  });
}
