/**
 * Claim: A shared secret proves nothing to a second party: `hmac-sha256` approves nothing across processes.
 * Enforced by: vault/schemes.ts, rs/pinned-key.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { createHmac } from 'node:crypto';
import { octThumbprint } from '../../src/cli/jwk.js';
import { canonicalBytes } from '../../src/contract/canonical.js';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';

attack('no MAC mints or executes, under any key id', async ({ world }) => {
  const { task_id, signed } = await world.signedDeletion();
  const bytes = canonicalBytes(signed.payload, 'client');
  for (const key_id of [world.person.passkey.keyId, octThumbprint(Buffer.from('secret'))]) {
    const signature = {
      scheme: 'hmac-sha256',
      key_id,
      signature: createHmac('sha256', 'secret').update(bytes).digest('hex'),
    } as const;
    const forged = { payload: signed.payload, signature };
    const { body } = await world.bridge.mint(forged);
    expect(body).toMatchObject({
      layer: 'vault',
      code: expect.stringMatching(/^(SignatureMismatch|UnknownApprover)$/),
    });
    const credential = mintAnything(mintKeyOf(world.stack), claimsFor(world.stack, signed));
    const call = {
      command: 'delete_task',
      args: { task_id },
      caller: world.caller,
      signed: forged,
      credential,
    };
    expect(refusal(await world.bridge.execute(call))).toEqual({
      status: 403,
      code: 'UnknownApprover',
      layer: 'rs',
    });
  }
  expect(world.exists(task_id)).toBe(true);
  expect((await world.bridge.mint(signed)).status).toBe(200);
});
