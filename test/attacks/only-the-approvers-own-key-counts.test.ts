/**
 * Claim: Only an enrolled key of the named approver counts.
 * Enforced by: vault/checks/check-approver-key.ts, vault/checks/check-signature.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SoftwarePasskey } from '../../src/cli/software-passkey.js';
import { canonicalBytes } from '../../src/contract/canonical.js';
import { AttackWorld } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('a signature by a key nobody enrolled, or by somebody else’s, mints nothing', async () => {
  const args = { task_id: await world.newTask() };
  const payload = world.bridge.payload(world.caller, 'delete_task', args);
  const bytes = canonicalBytes(payload, 'client');
  const honest = world.person.passkey.sign(bytes);
  const stranger = new SoftwarePasskey(world.stack.origin).sign(bytes);
  const mallory = await AttackWorld.on(world.stack);

  const attempts = [
    stranger,
    { ...stranger, key_id: honest.key_id, credential_id: honest.credential_id },
    mallory.person.passkey.sign(bytes),
  ];
  const answers = [];
  for (const signature of attempts)
    answers.push((await world.bridge.mint({ payload, signature })).body);
  expect(answers).toMatchObject([
    { code: 'UnknownApprover', layer: 'vault' },
    { code: 'SignatureMismatch', layer: 'vault' },
    { code: 'UnknownApprover', layer: 'vault' },
  ]);
  expect((await world.bridge.mint({ payload, signature: honest })).status).toBe(200);
  await mallory.close();
});
