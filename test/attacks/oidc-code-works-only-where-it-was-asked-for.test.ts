/**
 * Claim: A code or a state from another sign-in is worth nothing in this one: state, nonce and PKCE hold each to its own (code injection, RFC 9700 section 4.5).
 * Enforced by: consent-ui/server/oidc-client.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { begin, finish, provided } from '../support/oidc-visitor.js';

attack('answers that are put together from two', async ({ world }) => {
  const { stack, caller } = world;
  const FAILED = { status: 400, code: 'CeremonyFailed', layer: 'consent-ui' };
  const mixed: Record<string, (own: URLSearchParams, other: URLSearchParams) => void> = {
    'a stolen code under the own state': (own, other) => own.set('code', other.get('code') ?? ''),
    'the own code under a stolen state': (own, other) => own.set('state', other.get('state') ?? ''),
    'no state': (own) => own.delete('state'),
    'two states': (own) => own.append('state', 'x'),
    'no code': (own) => own.delete('code'),
    'an error instead': (own) => {
      own.delete('code');
      own.set('error', 'access_denied');
    },
  };
  for (const [name, mix] of Object.entries(mixed)) {
    const [mine, theirs] = [await begin(stack), await begin(stack)];
    const own = await provided(stack, mine, 'mallory@example.com');
    mix(own, await provided(stack, theirs, caller.subject));
    expect.soft(refusal(await finish(stack, mine.cookie, own)), name).toEqual(FAILED);
  }
  const honest = await begin(stack);
  const answer = await provided(stack, honest, caller.subject);
  expect((await finish(stack, honest.cookie, answer)).status).toBe(200);
});
