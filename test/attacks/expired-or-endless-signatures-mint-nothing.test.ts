/**
 * Claim: The signed deadline is the only deadline, and it is bounded.
 * Enforced by: vault/checks/check-not-expired.ts, vault/checks/check-ttl.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalBytes } from '../../src/contract/canonical.js';
import type { SignedPayload } from '../../src/contract/payload.js';
import { AttackWorld } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('the signed deadline is the only deadline: a signature whose time is over mints nothing', async () => {
  const args = { task_id: await world.newTask() };
  const sign = (ttl: number): SignedPayload => {
    const payload = world.bridge.payload(world.caller, 'delete_task', args, ttl);
    return { payload, signature: world.person.passkey.sign(canonicalBytes(payload, 'client')) };
  };
  expect((await world.bridge.mint(sign(60))).status).toBe(200);
  expect((await world.bridge.mint(sign(-1))).body).toMatchObject({
    code: 'CredentialExpired',
    layer: 'vault',
  });
  expect((await world.bridge.mint(sign(3600))).body).toMatchObject({
    code: 'PayloadDriftAtMint',
    layer: 'vault',
  });
});
