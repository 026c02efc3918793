/**
 * Claim: A sign-in at the provider ends only in the browser that began it, once, and no other site begins or ends one (login CSRF, RFC 9700 section 4.7).
 * Enforced by: consent-ui/server/oidc-attempts.ts, consent-ui/server/oidc-client.ts, consent-ui/server/oidc-routes.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { begin, finish, provided, sessionOf, startAt } from '../support/oidc-visitor.js';

const FAILED = { status: 400, code: 'CeremonyFailed', layer: 'consent-ui' };

attack('an answer in somebody else’s browser is nobody’s', async ({ world }) => {
  const { stack, caller } = world;
  const mallorys = await begin(stack);
  const answer = await provided(stack, mallorys, caller.subject);
  const victims = await begin(stack);
  for (const [name, cookie] of Object.entries({
    'a browser that began nothing': '',
    'a browser that began another': victims.cookie,
    'a cookie made up': 'oidc=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  })) {
    const refused = await finish(stack, cookie, answer);
    expect.soft(refusal(refused), name).toEqual(FAILED);
    expect(sessionOf(refused)).toBe('');
  }
  const done = await finish(stack, mallorys.cookie, answer);
  expect(done.body).toEqual({ approver_id: caller.subject, next: '/' });
  expect(refusal(await finish(stack, mallorys.cookie, answer)), 'again').toEqual(FAILED);
  const anew = await provided(stack, mallorys, caller.subject);
  expect(refusal(await finish(stack, mallorys.cookie, anew)), 'anew').toEqual(FAILED);
});

attack('no other site begins or ends a sign-in, and no GET does', async ({ world }) => {
  const { stack, caller } = world;
  const begun = await begin(stack);
  expect(begun.setCookie).toMatch(/; HttpOnly/);
  expect(begun.setCookie).toMatch(/; SameSite=Strict/);
  const answer = await provided(stack, begun, caller.subject);
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: stack.origin, 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    for (const refused of [
      await startAt(stack, '/', headers),
      await finish(stack, begun.cookie, answer, headers),
    ]) {
      expect.soft(refusal(refused)).toEqual({
        ...{ status: 403, code: 'CrossOrigin', layer: 'consent-ui' },
      });
      expect(refused.cookies).toEqual([]);
    }
  }
  const landed = await fetch(`${stack.origin}/sign-in/oidc/callback?${answer.toString()}`, {
    headers: { cookie: begun.cookie, accept: 'text/html' },
  });
  expect(landed.headers.getSetCookie()).toEqual([]);
  expect(await landed.text()).not.toContain(answer.get('code'));
  expect((await finish(stack, begun.cookie, answer)).status).toBe(200);
});
