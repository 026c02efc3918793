/** Strict JWS compact serialization (RFC 7515 section 7.1). Nothing is verified here; the vault has its own. */
import * as z from 'zod';
import type { JsonValue } from '../src/contract/json.js';
import { parseStrictJson } from '../src/contract/strict-json.js';

/**
 * The header this server accepts, and nothing beside it: a `jku`, `x5u`, `jwk` or `x5c` would let the sender say which
 * key to trust, `crit` would change the rules, `b64` the bytes. A `kid` is a look-up key in a map, never a path.
 */
const header = z.strictObject({
  alg: z.string(),
  typ: z.string(),
  kid: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
});
export type JwsHeader = z.infer<typeof header>;

export interface Jws {
  readonly header: JwsHeader;
  /** Parsed strictly; not yet trusted, not yet checked for members. */
  readonly payload: JsonValue;
  /** ASCII bytes the signature covers: header and payload as sent, joined by a dot. */
  readonly signingInput: Uint8Array;
  readonly signature: Uint8Array;
}

/** What is wrong with a JWS, for the record; the caller chooses the refusal. */
export class JwsError extends Error {
  override readonly name = 'JwsError';
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads `header.payload.signature`.
 * @throws JwsError, or Refusal MalformedJson from the strict parser.
 */
export function parseJws(compact: string): Jws {
  const parts = compact.split('.', 4);
  const [protectedHeader, payload, signature] = parts;
  if (
    parts.length !== 3 ||
    protectedHeader === undefined ||
    payload === undefined ||
    signature === undefined
  ) {
    throw new JwsError('not three parts');
  }
  const accepted = header.safeParse(parseJson(protectedHeader));
  if (!accepted.success) throw new JwsError('header members other than alg, typ, kid');
  return {
    header: accepted.data,
    payload: parseJson(payload),
    signingInput: Buffer.from(`${protectedHeader}.${payload}`, 'latin1'),
    signature: decodeBase64url(signature),
  };
}

/**
 * Base64url without padding, and only in its one canonical spelling: unused trailing bits are zero.
 * @throws JwsError
 */
export function decodeBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length === 0 || bytes.toString('base64url') !== text) {
    throw new JwsError('not base64url');
  }
  return bytes;
}

function parseJson(part: string): JsonValue {
  const bytes = decodeBase64url(part);
  try {
    return parseStrictJson(utf8.decode(bytes), 'rs');
  } catch {
    throw new JwsError('not strict JSON in UTF-8');
  }
}
