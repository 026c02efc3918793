/**
 * Claim: An answer that names another issuer, or none where the provider always names itself, signs nobody in (mix-up, RFC 9207 section 2.4).
 * Enforced by: consent-ui/server/oidc-client.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { begin, finish, provided } from '../support/oidc-visitor.js';

attack('iss of the answer is the configured issuer', async ({ world }) => {
  const { stack, caller } = world;
  const changes: Record<string, (answer: URLSearchParams) => void> = {
    'another issuer': (answer) => answer.set('iss', 'https://evil.example'),
    'a final slash': (answer) => answer.set('iss', `${answer.get('iss') ?? ''}/`),
    none: (answer) => answer.delete('iss'),
    two: (answer) => answer.append('iss', 'https://evil.example'),
  };
  for (const [name, change] of Object.entries(changes)) {
    const begun = await begin(stack);
    const answer = await provided(stack, begun, caller.subject);
    change(answer);
    expect.soft(refusal(await finish(stack, begun.cookie, answer)), name).toEqual({
      ...{ status: 400, code: 'CeremonyFailed', layer: 'consent-ui' },
    });
  }
  const honest = await begin(stack);
  const answer = await provided(stack, honest, caller.subject);
  expect((await finish(stack, honest.cookie, answer)).status).toBe(200);
});
