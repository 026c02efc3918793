import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../../src/contract/errors.js';

/**
 * Rule: a request that changes something in a session carries that session's token as `x-csrf-token`.
 * Source: OWASP CSRF cheat sheet, "HMAC-based token". Refusal: `CrossOrigin`.
 * Without it: whatever once gets past the origin rule (a browser fault, a proxy that rewrites headers) acts as the approver.
 */
export function checkCsrf(presented: string | string[] | undefined, expectedToken: string): void {
  if (typeof presented !== 'string' || !timingSafeEqual(digest(presented), digest(expectedToken))) {
    throw new Refusal('CrossOrigin', 'consent-ui', { detail: 'x-csrf-token' });
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
