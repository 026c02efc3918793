/** The assertion this server authenticates itself with at the vault (RFC 7523 section 2.2, as a bearer header). */
import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import * as z from 'zod';
import { parseStrictJson } from '../src/contract/strict-json.js';
import { CLIENT_ASSERTION_TYP } from '../src/contract/wire.js';
import { loadPublicKey } from './public-key.js';
import type { Clock } from './clock.js';

const privateJwk = z.looseObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});

/** @param text JSON text of a private P-256 JWK; throws for anything else, without showing any of it */
export function loadPrivateKey(text: string): KeyObject {
  const jwk = privateJwk.safeParse(parseStrictJson(text, 'rs'));
  if (!jwk.success) throw new Error('the client key is not a private P-256 JWK');
  const { kty, crv, x, y, d } = jwk.data;
  return createPrivateKey({ key: { kty, crv, x, y, d }, format: 'jwk' });
}

const LIFETIME_SECONDS = 60;
/** One assertion is reused until this long before it expires, so that the callee may remember it. */
const RENEW_BEFORE_SECONDS = 10;

interface AssertionParts {
  readonly clientId: string;
  /** P-256. */
  readonly privateKey: KeyObject;
  /** Identifier of the called service. */
  readonly audience: string;
  readonly clock: Clock;
  /** 32 hex digits, never the same twice. */
  readonly newJti: () => string;
}

/** @returns a function that gives a current assertion (ES256 compact JWS) */
export function clientAssertion(parts: AssertionParts): () => string {
  const { clientId, privateKey, audience, clock, newJti } = parts;
  const { keyId } = loadPublicKey(createPublicKey(privateKey).export({ format: 'jwk' }));
  const header = encode({ alg: 'ES256', typ: CLIENT_ASSERTION_TYP, kid: keyId });
  let current = { text: '', iat: -Infinity };
  return () => {
    const iat = Math.floor(clock() / 1000);
    // Before its `iat` the clock was set back, and nobody takes an assertion from the future.
    const age = iat - current.iat;
    if (age < 0 || age >= LIFETIME_SECONDS - RENEW_BEFORE_SECONDS) {
      const exp = iat + LIFETIME_SECONDS;
      const claims = { iss: clientId, sub: clientId, aud: audience, iat, exp, jti: newJti() };
      const input = `${header}.${encode(claims)}`;
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
      const signature = sign('sha256', Buffer.from(input), key).toString('base64url');
      current = { text: `${input}.${signature}`, iat };
    }
    return current.text;
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
