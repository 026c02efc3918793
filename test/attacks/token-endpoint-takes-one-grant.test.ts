/**
 * Claim: The token endpoint serves token exchange of a signed payload and no other grant (RFC 9700 section 2.4).
 * Enforced by: vault/http/token-request.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { exchange } from '../support/token-exchange.js';

attack('password, code, refresh and client credentials grants get nothing', async ({ world }) => {
  const { signed } = await world.signedDeletion();
  for (const [name, changes, expected] of [
    ['password', { grant_type: 'password' }, { error: 'unsupported_grant_type' }],
    ['code', { grant_type: 'authorization_code' }, { error: 'unsupported_grant_type' }],
    ['refresh', { grant_type: 'refresh_token' }, { error: 'unsupported_grant_type' }],
    ['credentials', { grant_type: 'client_credentials' }, { error: 'unsupported_grant_type' }],
    ['none', { grant_type: '' }, { error: 'unsupported_grant_type' }],
    [
      'token type',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
      { error: 'invalid_request', code: 'MalformedRequest', path: 'subject_token_type' },
    ],
  ] as const) {
    const { status, body } = await exchange(world.stack, signed, changes);
    expect
      .soft({ status, body }, name)
      .toMatchObject({ status: 400, body: { ...expected, layer: 'vault' } });
  }
  expect((await exchange(world.stack, signed)).status).toBe(200);
});
