/**
 * Claim: An approver approves for the subject policy gives them, not for whom a client names.
 * Enforced by: vault/checks/check-policy.ts, vault/policy.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { exchange } from '../support/token-exchange.js';

attack('another requested subject is PolicyDenied, and spends nothing', async ({ world }) => {
  const { signed } = await world.signedDeletion();
  for (const [name, changes, expected] of [
    [
      'another',
      { requested_subject: 'victim@example.com' },
      { error: 'access_denied', code: 'PolicyDenied' },
    ],
    [
      'the word itself',
      { requested_subject: 'subject' },
      { error: 'access_denied', code: 'PolicyDenied' },
    ],
    ['none', { requested_subject: '' }, { code: 'MalformedRequest', path: 'requested_subject' }],
  ] as const) {
    const { status, body } = await exchange(world.stack, signed, changes);
    expect
      .soft({ status, body }, name)
      .toMatchObject({ status: 400, body: { ...expected, layer: 'vault' } });
  }
  expect((await exchange(world.stack, signed)).status).toBe(200);
});
