/**
 * Claim: The session cookie is out of reach of scripts and of other sites, and names nobody (OWASP ASVS 3.3).
 * Enforced by: consent-ui/server/session-cookie.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { sessionCookie } from '../../consent-ui/server/session-cookie.js';
attack(
  'HttpOnly, SameSite=Strict, path-bound, without a domain, with an end',
  async ({ world, visitor }) => {
    const attributes = visitor.setCookie
      .split('; ')
      .slice(1)
      .map((part) => part.toLowerCase());
    expect(attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=strict', 'path=/']));
    expect(attributes.some((part) => /^max-age=\d+$/.test(part))).toBe(true);
    expect(attributes.some((part) => part.startsWith('domain'))).toBe(false);
    expect(visitor.cookie).toMatch(/^session=[\w-]{43}$/);
    const shown = await visitor.html('/');
    expect(shown.status).toBe(200);
    expect(shown.text).not.toContain(visitor.cookie.split('=')[1]);
    expect(sessionCookie('https://consent.example.com', 60)).toMatchObject({
      name: '__Host-session',
      attributes: { secure: true, httpOnly: true, sameSite: 'strict', path: '/' },
    });
    expect(world.caller.subject).not.toBe('');
  },
);
