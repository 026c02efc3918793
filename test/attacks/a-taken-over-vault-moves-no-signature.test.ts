/**
 * Claim: A vault that mints for one action beside a person’s signature for another gets neither run.
 * Enforced by: rs/checks/check-signed-bytes.ts, rs/checks/check-args-bound.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import type { SignedPayload } from '../../src/contract/payload.js';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';

attack(
  'credentials re-aimed by the vault’s own key are refused, member by member',
  async ({ world }) => {
    const { stack, caller } = world;
    const key = mintKeyOf(stack);
    const { task_id, signed } = await world.signedDeletion();
    const victim = await world.newTask();
    const args = { task_id: victim };
    const claims = claimsFor(stack, signed);
    const aimed = {
      ...claims,
      authorization_details: [{ type: signed.payload.rar_type, command: 'delete_task', args }],
    };
    const evil = { ...signed.payload, args };
    const aimedWell = claimsFor(stack, { payload: evil });
    const run = (credential: string, given: SignedPayload) =>
      world.bridge.execute({ command: 'delete_task', args, caller, credential, signed: given });
    for (const credential of [mintAnything(key, aimed), mintAnything(key, aimedWell)]) {
      for (const given of [signed, { ...signed, payload: evil }]) {
        expect(refusal(await run(credential, given))).toEqual({
          status: 403,
          code: 'SignatureMismatch',
          layer: 'rs',
        });
      }
    }
    expect(world.exists(victim)).toBe(true);
    const honest = {
      command: 'delete_task',
      args: { task_id },
      caller,
      signed,
      credential: mintAnything(key, claims),
    };
    expect((await world.bridge.execute(honest)).status).toBe(200);
  },
);
