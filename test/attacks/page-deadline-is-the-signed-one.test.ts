/**
 * Claim: After its signed deadline a consent can be approved by nobody, nor proposed at all.
 * Enforced by: consent-ui/server/store/consent-store.ts, consent-ui/server/consents.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack('at exp + 1 s approving is ConsentExpired', async ({ world, visitor }) => {
  const payload = world.bridge.payload(world.caller, 'delete_task', { task_id: 't-1' }, 2);
  const path = new URL(await world.bridge.propose(payload)).pathname;
  const { signature } = world.signDirectly(payload);
  expect((await visitor.get(`${path}/status`)).body).toMatchObject({ status: 'pending' });
  await expect
    .poll(async () => (await visitor.get(`${path}/status`)).body, { timeout: 10_000 })
    .toMatchObject({ status: 'expired', seconds_left: 0 });
  const over = { status: 410, code: 'ConsentExpired', layer: 'consent-ui' };
  expect(refusal(await visitor.post(`${path}/approve`, { signature }))).toEqual(over);
  expect(refusal(await visitor.post(`${path}/decline`, {}))).toEqual(over);
  expect((await world.bridge.mint({ payload, signature })).body).toMatchObject({
    code: 'CredentialExpired',
  });
  const late = world.bridge.payload(world.caller, 'delete_task', { task_id: 't-1' }, -1);
  await expect(world.bridge.propose(late)).rejects.toThrow('ConsentExpired (consent-ui)');
});
