import type { CookieSerializeOptions } from '@fastify/cookie';
import { createHash } from 'node:crypto';
import type { Clock } from './clock.js';
import type { SignInChecks } from './oidc-client.js';
import type { RandomBytes } from './sessions.js';

/** How long somebody may take at the provider. */
const LIFETIME_S = 600;
const MAX_ATTEMPTS = 1000;

export interface Attempt {
  readonly checks: SignInChecks;
  /** Where to go afterwards, a path of this page. */
  readonly next: string;
}

/**
 * Sign-ins under way at the provider, each bound to the browser that began it by a cookie and good for one answer
 * (RFC 9700 section 4.7). In memory: whoever is caught by a restart begins again.
 */
export class OidcAttempts {
  private readonly known = new Map<string, Attempt & { readonly until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly random: RandomBytes,
  ) {}

  /** The value of the cookie: 32 random octets, base64url. */
  begin(attempt: Attempt): string {
    const now = this.clock();
    for (const [key, { until }] of this.known)
      if (until <= now || this.known.size >= MAX_ATTEMPTS) this.known.delete(key);
    const token = this.random(32).toString('base64url');
    this.known.set(hashOf(token), { ...attempt, until: now + LIFETIME_S * 1000 });
    return token;
  }

  /** The attempt this browser began, once. */
  take(token: string): Attempt | undefined {
    const key = hashOf(token);
    const found = this.known.get(key);
    this.known.delete(key);
    return found !== undefined && this.clock() < found.until ? found : undefined;
  }
}

/**
 * Strict is enough: the provider leads the browser to a page of ours, and that page's own script brings the answer. Over
 * https no sibling domain can plant it (RFC 6265bis section 4.1.3.2).
 */
export function attemptCookie(origin: string): {
  readonly name: string;
  readonly attributes: CookieSerializeOptions;
} {
  const secure = origin.startsWith('https:');
  return {
    name: secure ? '__Host-oidc' : 'oidc',
    attributes: { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge: LIFETIME_S },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
