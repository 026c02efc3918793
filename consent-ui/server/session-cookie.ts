import type { CookieSerializeOptions } from '@fastify/cookie';

export interface SessionCookie {
  readonly name: string;
  readonly attributes: CookieSerializeOptions;
}

/**
 * Name and attributes of the session cookie. `SameSite=Strict`: no other site's link or form ever carries it. Over https
 * it has the `__Host-` prefix (RFC 6265bis section 4.1.3.2): sent here only, and no sibling domain can plant it.
 */
export function sessionCookie(origin: string, ttlSeconds: number): SessionCookie {
  const secure = origin.startsWith('https:');
  return {
    name: secure ? '__Host-session' : 'session',
    attributes: { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge: ttlSeconds },
  };
}
