/** One falsified WebAuthn assertion before both verifiers, neither of which may rely on the other. */
import { expect } from 'vitest';
import { canonicalBytes } from '../../src/contract/canonical.js';
import type { Form2Payload, WebauthnSignature } from '../../src/contract/payload.js';
import { type AttackWorld, refusal } from './attack-world.js';
import type { SoftwareAuthenticator } from './software-authenticator.js';
import { claimsFor, mintAnything, mintKeyOf } from './taken-over-vault.js';

export type Signer = (bytes: Uint8Array, payload: Form2Payload) => WebauthnSignature;

/** A signer as it is asked of the authenticator of these tests. */
export type FalseSigner = (
  authenticator: SoftwareAuthenticator,
  bytes: Uint8Array,
) => WebauthnSignature;

/**
 * First the honest assertion: minted by the vault and executed by the resource server. Then each falsified one: the
 * vault mints nothing, and the resource server executes nothing even with a credential of the vault's own key.
 */
export async function expectRefusedByBoth(
  world: AttackWorld,
  authenticator: SoftwareAuthenticator,
  falsified: Readonly<Record<string, FalseSigner>>,
  atRs = 'SignatureMismatch',
): Promise<void> {
  expect(await judge(world, (bytes) => authenticator.sign(bytes))).toEqual({
    vault: { status: 200, code: undefined, layer: undefined },
    rs: { status: 200, code: undefined, layer: undefined },
    exists: false,
  });
  for (const [name, sign] of Object.entries(falsified)) {
    expect.soft(await judge(world, (bytes) => sign(authenticator, bytes)), name).toEqual({
      vault: { status: 400, code: 'SignatureMismatch', layer: 'vault' },
      rs: { status: 403, code: atRs, layer: 'rs' },
      exists: true,
    });
  }
}

/** What vault and resource server each say of one signature over the deletion of a fresh task. */
export async function judge(world: AttackWorld, sign: Signer) {
  const task_id = await world.newTask();
  const args = { task_id };
  const payload = world.bridge.payload(world.caller, 'delete_task', args);
  const signed = { payload, signature: sign(canonicalBytes(payload, 'client'), payload) };
  const vault = refusal(await world.bridge.mint(signed));
  // A vault that was taken over mints for anything, so what refuses now is the resource server alone.
  const credential = mintAnything(mintKeyOf(world.stack), claimsFor(world.stack, signed));
  const call = { command: 'delete_task', args, caller: world.caller, signed, credential };
  const rs = refusal(await world.bridge.execute(call));
  return { vault, rs, exists: world.exists(task_id) };
}
