/**
 * Claim: A session token known before sign-in is worth nothing after it (session fixation, OWASP ASVS 7.2.4).
 * Enforced by: consent-ui/server/sessions.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { PageVisitor } from '../support/page-visitor.js';
attack('planted and earlier tokens end at sign-in', async ({ world }) => {
  const planted = `session=${'A'.repeat(43)}`;
  const { passkey } = world.person;
  const victim = await PageVisitor.signedIn(world.stack, passkey, { cookie: planted });
  expect(victim.cookie).not.toBe(planted);
  expect((await victim.get('/')).status).toBe(200);
  expect(refusal(await victim.get('/', { cookie: planted }))).toMatchObject({
    code: 'Unauthenticated',
  });
  const again = await PageVisitor.signedIn(world.stack, passkey, { cookie: victim.cookie });
  expect(refusal(await victim.get('/'))).toMatchObject({ code: 'Unauthenticated' });
  expect((await again.get('/')).status).toBe(200);
});
