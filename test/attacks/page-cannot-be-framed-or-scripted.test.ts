/**
 * Claim: No site can frame the page, and no text can become script in it (clickjacking, XSS).
 * Enforced by: consent-ui/server/security-headers.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';

attack('every page and every refusal carries the whole policy', async ({ world, visitor }) => {
  const { path, signature } = await world.proposedDeletion();
  for (const to of ['/', '/sign-in', '/enrol', path, '/nothing', '/consents/unknown']) {
    const { headers } = await visitor.html(to);
    const policy = String(headers['content-security-policy']).split(';');
    expect(policy, to).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(String(headers['content-security-policy'])).not.toMatch(/unsafe-|\*|data:/);
    expect(headers, to).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  }
  expect((await visitor.post(`${path}/approve`, { signature })).status).toBe(200);
});
