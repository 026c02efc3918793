/**
 * Claim: A taken-over vault alone executes nothing a person did not sign, and nothing twice.
 * Enforced by: rs/checks/check-human-signature.ts, rs/checks/check-approver.ts, rs/checks/check-unused.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SoftwarePasskey } from '../../src/cli/software-passkey.js';
import { canonicalBytes } from '../../src/contract/canonical.js';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('a vault that mints without a signature is stopped by the resource server', async () => {
  const key = mintKeyOf(world.stack);
  const honest = await world.signedDeletion();
  const mintedByAttacker = mintAnything(key, claimsFor(world.stack, honest.signed));
  const own = { command: 'delete_task', args: { task_id: honest.task_id }, caller: world.caller };
  // The attacker's credential is as good as the vault's own, so only the missing signature can be what stops the rest.
  expect(
    (await world.bridge.execute({ ...own, credential: mintedByAttacker, signed: honest.signed }))
      .status,
  ).toBe(200);

  const task_id = await world.newTask();
  const args = { task_id };
  const payload = world.bridge.payload(world.caller, 'delete_task', args);
  const credential = mintAnything(key, claimsFor(world.stack, { payload }));
  const stranger = new SoftwarePasskey(world.stack.origin).sign(canonicalBytes(payload, 'client'));
  const { keyId: key_id, credentialId: credential_id } = world.person.passkey;
  const borrowed = { ...honest.signed.signature };
  const codes = [];
  for (const signature of [stranger, { ...stranger, key_id, credential_id }, borrowed]) {
    const answer = await world.bridge.execute({
      command: 'delete_task',
      args,
      caller: world.caller,
      credential,
      signed: { payload, signature },
    });
    codes.push(refusal(answer));
  }
  const borrowedPayload = await world.bridge.execute({
    command: 'delete_task',
    args,
    caller: world.caller,
    credential,
    signed: honest.signed,
  });
  expect(codes).toMatchObject([
    { code: 'UnknownApprover', layer: 'rs' },
    { code: 'SignatureMismatch', layer: 'rs' },
    { code: 'SignatureMismatch', layer: 'rs' },
  ]);
  expect(refusal(borrowedPayload)).toMatchObject({ layer: 'rs', code: 'SignatureMismatch' });
  expect(world.exists(task_id)).toBe(true);
});

it('two credentials a lying vault mints over one signature run once', async () => {
  const key = mintKeyOf(world.stack);
  const { task_id, signed } = await world.signedDeletion();
  const call = { command: 'delete_task', args: { task_id }, caller: world.caller, signed };
  const first = mintAnything(key, claimsFor(world.stack, signed));
  const second = mintAnything(key, claimsFor(world.stack, signed));
  expect((await world.bridge.execute({ ...call, credential: first })).status).toBe(200);
  expect(refusal(await world.bridge.execute({ ...call, credential: second }))).toEqual({
    status: 409,
    code: 'SignatureReplay',
    layer: 'rs',
  });
});
