/**
 * Claim: A signature for one resource server mints nothing for another, known or not (RFC 8707, RFC 9700 section 2.3).
 * Enforced by: vault/checks/check-audience.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { exchange } from '../support/token-exchange.js';
import { SECOND_RESOURCE } from '../support/second-resource-server.js';

attack('another resource than the signed audience mints nothing', async ({ world }) => {
  const { signed } = await world.signedDeletion();
  const drift = { error: 'invalid_grant', code: 'PayloadDriftAtMint', path: 'aud' };
  for (const [name, changes, expected] of [
    ['another known', { resource: SECOND_RESOURCE }, drift],
    ['an unknown', { resource: 'http://evil.example' }, drift],
    ['a trailing slash', { resource: `${world.stack.configs.rs.resource}/` }, drift],
    ['none', { resource: '' }, { code: 'MalformedRequest', path: 'resource' }],
  ] as const) {
    const { status, body } = await exchange(world.stack, signed, changes);
    expect
      .soft({ status, body }, name)
      .toMatchObject({ status: 400, body: { ...expected, layer: 'vault' } });
  }
  expect((await exchange(world.stack, signed)).status).toBe(200);
});
