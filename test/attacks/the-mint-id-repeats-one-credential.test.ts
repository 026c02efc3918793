/**
 * Claim: Presented again under its own mint id a signature gets the credential it has; under any other, none.
 * Enforced by: vault/store/signatures.ts, vault/oauth.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { exchange } from '../support/token-exchange.js';

attack('a repeat is the same jti, and executes once all the same', async ({ world }) => {
  const { stack } = world;
  const { task_id, signed } = await world.signedDeletion();
  const mint_id = 'm'.repeat(22);
  const first = (await exchange(stack, signed, { mint_id })).body as {
    jti: string;
    access_token: string;
  };
  const again = (await exchange(stack, signed, { mint_id })).body as typeof first;
  expect(again.jti).toBe(first.jti);
  for (const other of ['n'.repeat(22), `${mint_id}m`, mint_id.toUpperCase()]) {
    const { body } = await exchange(stack, signed, { mint_id: other });
    expect(body).toMatchObject({ error: 'invalid_grant', code: 'SignatureReplay', layer: 'vault' });
  }
  const call = { command: 'delete_task', args: { task_id }, caller: world.caller, signed };
  const runs = [first, again].map(({ access_token }) =>
    world.bridge.execute({ ...call, credential: access_token }),
  );
  expect((await Promise.all(runs)).map(({ status }) => status).sort()).toEqual([200, 409]);
});
