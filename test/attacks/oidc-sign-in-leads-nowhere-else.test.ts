/**
 * Claim: After a sign-in at the provider the browser goes to a page of ours, whatever `next` or the answer says (open redirect, RFC 9700 section 4.11).
 * Enforced by: consent-ui/server/next-path.ts, consent-ui/server/oidc-routes.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { begin, finish, provided } from '../support/oidc-visitor.js';

attack('next is one of our own pages', async ({ world }) => {
  const { stack, caller } = world;
  const own = `/consents/${'a'.repeat(43)}`;
  for (const [next, leads] of [
    [own, own],
    ['https://evil.example/', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['javascript:alert(1)', '/'],
    [`${own}/../../sign-out`, '/'],
    [`${own}?next=https://evil.example`, '/'],
  ] as const) {
    const begun = await begin(stack, next);
    expect(begun.url.searchParams.get('redirect_uri')).toBe(
      `${stack.origin}/sign-in/oidc/callback`,
    );
    const answer = await provided(stack, begun, caller.subject);
    answer.set('next', 'https://evil.example');
    const done = await finish(stack, begun.cookie, answer);
    expect.soft(done.body, next).toEqual({ approver_id: caller.subject, next: leads });
  }
});
