/** Public keys as this server loads them: from a JWK to a cached KeyObject, once. The vault has its own (on purpose). */
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { createHash, createPublicKey } from 'node:crypto';
import * as z from 'zod';
import type { Algorithm } from './signature-algorithms.js';

/**
 * The three key types, each with exactly the members of its public half and the optional ones that say what it is for.
 * A `d`, `p` or `k` makes a key unknown here: a private or symmetric key has no business in this process.
 */
const about = {
  kid: z.string().optional(),
  use: z.literal('sig').optional(),
  key_ops: z.tuple([z.literal('verify')]).optional(),
  ext: z.boolean().optional(),
};
const coordinate = z.string().length(43);
const publicJwk = z.union([
  z.strictObject({
    ...about,
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: coordinate,
    y: coordinate,
    alg: z.literal('ES256').optional(),
  }),
  z.strictObject({
    ...about,
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: coordinate,
    alg: z.enum(['EdDSA', 'Ed25519']).optional(),
  }),
  z.strictObject({
    ...about,
    kty: z.literal('RSA'),
    // 2048 to 4096 bits: shorter is weak, longer makes one verification expensive.
    n: z.string().min(342).max(683),
    e: z.literal('AQAB'),
    alg: z.literal('RS256').optional(),
  }),
]);
type PublicJwk = z.infer<typeof publicJwk>;

export interface PublicKey {
  /** RFC 7638 thumbprint, SHA-256, base64url. */
  readonly keyId: string;
  /** The one algorithm this key verifies; a header never chooses it. */
  readonly algorithm: Algorithm;
  readonly keyObject: KeyObject;
  /** Public members only. */
  readonly jwk: JsonWebKey;
}

/**
 * Loads one public JWK (P-256, Ed25519, or RSA of 2048 to 4096 bits).
 * @throws Error saying that the key is not one of those, or not on its curve.
 */
export function loadPublicKey(jwk: unknown): PublicKey {
  const accepted = publicJwk.safeParse(jwk);
  if (!accepted.success) throw new Error('not a public P-256, Ed25519 or RSA (2048-4096) JWK');
  const required = requiredMembers(accepted.data);
  return {
    keyId: createHash('sha256').update(JSON.stringify(required)).digest('base64url'),
    algorithm: ALGORITHM_OF[accepted.data.kty],
    keyObject: createPublicKey({ key: required, format: 'jwk' }),
    jwk: required,
  };
}

const ALGORITHM_OF = { EC: 'ES256', OKP: 'EdDSA', RSA: 'RS256' } as const;

/** RFC 7638 section 3.2: the required members, in lexicographic order. */
function requiredMembers(jwk: PublicJwk) {
  switch (jwk.kty) {
    case 'EC':
      return { crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y };
    case 'OKP':
      return { crv: jwk.crv, kty: jwk.kty, x: jwk.x };
    case 'RSA':
      return { e: jwk.e, kty: jwk.kty, n: jwk.n };
  }
}
