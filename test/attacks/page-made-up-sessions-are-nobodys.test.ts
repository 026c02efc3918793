/**
 * Claim: A cookie that is guessed, cut, lengthened or stuffed is nobody’s, and no error.
 * Enforced by: consent-ui/server/sessions.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack('only the exact token is a session', async ({ visitor }) => {
  expect((await visitor.get('/')).status).toBe(200);
  const token = visitor.cookie.split('=')[1] ?? '';
  for (const value of [
    '',
    'A'.repeat(43),
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    `${token}%00`,
    "' OR 1=1 --",
    '__proto__',
    `"${token}"x`,
  ]) {
    const answer = await visitor.get('/', { cookie: `session=${value}` });
    expect
      .soft(refusal(answer), value)
      .toEqual({ status: 401, code: 'Unauthenticated', layer: 'consent-ui' });
  }
  expect(refusal(await visitor.get('/', { cookie: `Session=${token}` }))).toMatchObject({
    code: 'Unauthenticated',
  });
});
