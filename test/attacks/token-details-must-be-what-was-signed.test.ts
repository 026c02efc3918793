/**
 * Claim: A client that asks for other authorization details than were signed gets none (RFC 9396 section 5).
 * Enforced by: vault/http/token-request.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { exchange } from '../support/token-exchange.js';

attack('more, less or other details than the signed action mint nothing', async ({ world }) => {
  const { signed } = await world.signedDeletion();
  const { rar_type: type, cmd: command, args } = signed.payload;
  const own = { type, command, args };
  const drift = {
    error: 'invalid_grant',
    code: 'PayloadDriftAtMint',
    path: 'authorization_details',
  };
  for (const [name, changes, expected] of [
    ['none', { authorization_details: '[]' }, drift],
    ['two', { authorization_details: JSON.stringify([own, own]) }, drift],
    [
      'another command',
      { authorization_details: JSON.stringify([{ ...own, command: 'update_task' }]) },
      drift,
    ],
    [
      'other arguments',
      { authorization_details: JSON.stringify([{ ...own, args: { task_id: 't-0' } }]) },
      drift,
    ],
    [
      'another type',
      { authorization_details: JSON.stringify([{ ...own, type: 'payment' }]) },
      drift,
    ],
    [
      'more members',
      { authorization_details: JSON.stringify([{ ...own, locations: ['*'] }]) },
      { code: 'MalformedRequest' },
    ],
    ['no list', { authorization_details: JSON.stringify(own) }, { code: 'MalformedRequest' }],
    [
      'twice one member',
      { authorization_details: '[{"type":"a","type":"b"}]' },
      { code: 'MalformedJson' },
    ],
  ] as const) {
    const { status, body } = await exchange(world.stack, signed, changes);
    expect
      .soft({ status, body }, name)
      .toMatchObject({ status: 400, body: { ...expected, layer: 'vault' } });
  }
  expect((await exchange(world.stack, signed)).status).toBe(200);
});
