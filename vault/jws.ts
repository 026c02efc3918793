/**
 * JWS compact serialisation (RFC 7515) by hand: two base64url parts, a dot, one node:crypto call. jose does the same
 * with web crypto in between, and measured here costs 65 microseconds more per signature, which is more than the
 * signature itself; it would be the larger part of a mint.
 */
import type { KeyObject } from 'node:crypto';
import { sign } from 'node:crypto';
import * as z from 'zod';
import type { RefusalCode } from '../src/contract/errors.js';
import type { JsonObject } from '../src/contract/json.js';
import { jsonObject } from '../src/contract/payload.js';
import { parseStrictJson } from '../src/contract/strict-json.js';
import { verifySignature } from './public-key.js';
import { refuse } from './refuse.js';

/** Algorithms of JWTs; a key has exactly one. */
export type JwsAlgorithm = 'ES256' | 'EdDSA';

export interface SigningKey {
  readonly keyId: string;
  readonly alg: JwsAlgorithm;
  /** Private; imported once. */
  readonly key: KeyObject;
}

export interface Jws {
  /** As the sender claims: a name to look a key up by, nothing more. */
  readonly kid: string;
  /** True only if the signature is by this key, with this key's algorithm. */
  readonly isBy: (by: { readonly key: KeyObject; readonly alg: string }) => Promise<boolean>;
  readonly claims: JsonObject;
}

/** The signed token. Runs in the thread pool. */
export function signJws(
  typ: string,
  claims: JsonObject,
  { key, alg, keyId }: SigningKey,
): Promise<string> {
  const input = `${encode({ alg, typ, kid: keyId })}.${encode(claims)}`;
  const digest = alg === 'ES256' ? 'sha256' : null;
  return new Promise((resolve, reject) => {
    sign(digest, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }, (error, signature) => {
      if (error === null) resolve(`${input}.${signature.toString('base64url')}`);
      else reject(error);
    });
  });
}

/**
 * Takes a token apart; nothing in it is verified until {@link Jws.isBy} says so. The header may hold `alg`, `typ` and
 * `kid` only, so no `jku`, `jwk`, `x5u` or `crit` can have a say.
 * @throws Refusal `code` for anything that is not such a token of this `typ`.
 */
export function readJws(token: string, typ: string, code: RefusalCode): Jws {
  const parts = COMPACT.exec(token);
  if (parts === null) throw refuse(code, { detail: 'not a compact JWS' });
  const [, head = '', body = '', made = ''] = parts;
  const header = protectedHeader.safeParse(decode(head, code));
  const claims = jsonObject.safeParse(decode(body, code));
  if (!header.success || !claims.success || header.data.typ !== typ) {
    throw refuse(code, { detail: 'JWS header or claims have another shape' });
  }
  const { alg, kid } = header.data;
  const input = Buffer.from(`${head}.${body}`);
  const signature = octetsOf(made, code);
  return {
    kid,
    claims: claims.data,
    isBy: async (by) =>
      alg === by.alg &&
      (await verifySignature({ alg, key: by.key }, input, signature, 'ieee-p1363')),
  };
}

const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;
const protectedHeader = z.strictObject({
  alg: z.enum(['ES256', 'EdDSA']),
  typ: z.string(),
  kid: z.string(),
});
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string, code: RefusalCode): unknown {
  const octets = octetsOf(part, code);
  try {
    return parseStrictJson(utf8.decode(octets), 'vault');
  } catch {
    throw refuse(code, { detail: 'a JWS part is not JSON' });
  }
}

/** Base64url in its one canonical spelling (RFC 4648 section 3.5): else one token would have several texts. */
function octetsOf(part: string, code: RefusalCode): Buffer {
  const octets = Buffer.from(part, 'base64url');
  if (octets.toString('base64url') === part) return octets;
  throw refuse(code, { detail: 'a JWS part is not canonical base64url' });
}
