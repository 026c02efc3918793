/**
 * Claim: No other site can sign a person in as somebody else (login CSRF).
 * Enforced by: consent-ui/server/checks/check-origin.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { call } from '../../src/cli/http.js';
import { signInOptions } from '../support/page-visitor.js';
attack('sign-in and enrolment are changes like any other', async ({ world }) => {
  const { stack, person } = world;
  const begun = await signInOptions(stack.origin);
  const response = person.passkey.authenticate(begun.options.challenge);
  const answer = { challenge_id: begun.challenge_id, response };
  const post = (path: string, json: object, headers: Record<string, string>) =>
    call(`${stack.origin}${path}`, { method: 'POST', json, headers });
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: stack.origin, 'sec-fetch-site': 'cross-site' },
  ]) {
    for (const [path, json] of [
      ['/sign-in/options', {}],
      ['/sign-in/finish', answer],
      ['/enrol/options', { invite: 'x' }],
      ['/enrol/finish', {}],
    ] as const) {
      const refused = await post(path, json, headers);
      expect
        .soft(refusal(refused), path)
        .toEqual({ status: 403, code: 'CrossOrigin', layer: 'consent-ui' });
      expect(refused.cookies).toEqual([]);
    }
  }
  expect((await post('/sign-in/finish', answer, { origin: stack.origin })).cookies).toHaveLength(1);
});
