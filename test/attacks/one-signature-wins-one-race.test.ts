/**
 * Claim: Many presentations of one signature at once mint one credential, and of many credentials over it one runs.
 * Enforced by: vault/store/signatures.ts, rs/store/executions.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';

attack('20 at once: one credential, 19 clean refusals; then one run', async ({ world }) => {
  const { task_id, signed } = await world.signedDeletion();
  const minted = await Promise.all(Array.from({ length: 20 }, () => world.bridge.mint(signed)));
  expect(minted.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of minted.filter((answer) => answer.status !== 200)) {
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'SignatureReplay', layer: 'vault' },
    });
  }
  const call = { command: 'delete_task', args: { task_id }, caller: world.caller, signed };
  const key = mintKeyOf(world.stack);
  const runs = await Promise.all(
    Array.from({ length: 20 }, () =>
      world.bridge.execute({
        ...call,
        credential: mintAnything(key, claimsFor(world.stack, signed)),
      }),
    ),
  );
  expect(runs.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of runs.filter(({ status }) => status !== 200)) {
    expect(refusal(answer)).toEqual({ status: 409, code: 'SignatureReplay', layer: 'rs' });
  }
});
