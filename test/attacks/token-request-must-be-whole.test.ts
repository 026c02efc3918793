/**
 * Claim: A token request without its parts, or with parts that cannot be read, mints nothing.
 * Enforced by: vault/http/token-request.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { exchange } from '../support/token-exchange.js';

attack('each missing or unreadable parameter is a typed refusal', async ({ world }) => {
  const { signed } = await world.signedDeletion();
  for (const [name, changes, expected] of [
    ['no token', { subject_token: '' }, { code: 'MalformedRequest', path: 'subject_token' }],
    [
      'padded token',
      { subject_token: 'e30=' },
      { code: 'MalformedRequest', path: 'subject_token' },
    ],
    ['no JSON', { subject_token: 'AAAA' }, { code: 'MalformedJson' }],
    ['no signed payload', { subject_token: 'e30' }, { code: 'MalformedPayload' }],
    ['no mint id', { mint_id: '' }, { code: 'MalformedRequest', path: 'mint_id' }],
    ['a short mint id', { mint_id: 'x' }, { code: 'MalformedRequest', path: 'mint_id' }],
    [
      'no details',
      { authorization_details: '' },
      { code: 'MalformedRequest', path: 'authorization_details' },
    ],
  ] as const) {
    const { status, body } = await exchange(world.stack, signed, changes);
    expect
      .soft({ status, body }, name)
      .toMatchObject({ status: 400, body: { ...expected, layer: 'vault' } });
  }
  expect((await exchange(world.stack, signed)).status).toBe(200);
});
