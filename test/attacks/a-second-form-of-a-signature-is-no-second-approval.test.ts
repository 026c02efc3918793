/**
 * Claim: A signature rewritten into its other valid form (r, n−s) is no second approval.
 * Enforced by: vault/store/signatures.ts, rs/store/executions.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';
import { negated } from '../support/negated-signature.js';

attack(
  'used is keyed on the signed bytes, so the twin of a signature is used with it',
  async ({ world }) => {
    const { task_id, signed } = await world.signedDeletion();
    const twin = { ...signed, signature: negated(signed.signature) };
    expect(twin.signature).not.toEqual(signed.signature);
    expect((await world.bridge.mint(signed)).status).toBe(200);
    expect(refusal(await world.bridge.mint(twin))).toMatchObject({
      code: 'SignatureReplay',
      layer: 'vault',
    });

    const call = { command: 'delete_task', args: { task_id }, caller: world.caller };
    const credential = () => mintAnything(mintKeyOf(world.stack), claimsFor(world.stack, signed));
    const first = await world.bridge.execute({ ...call, signed, credential: credential() });
    const again = await world.bridge.execute({ ...call, signed: twin, credential: credential() });
    expect(first.status).toBe(200);
    expect(refusal(again)).toEqual({ status: 409, code: 'SignatureReplay', layer: 'rs' });
  },
);
