/**
 * Claim: One signature mints at most one credential.
 * Enforced by: vault/checks/check-unused.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AttackWorld } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('one signature mints at most one credential: presented again, by the same client, it is SignatureReplay', async () => {
  const { signed } = await world.signedDeletion();
  expect((await world.bridge.mint(signed)).status).toBe(200);
  const again = await world.bridge.mint(signed);
  expect(again.body).toMatchObject({
    error: 'invalid_grant',
    code: 'SignatureReplay',
    layer: 'vault',
  });
});
