/**
 * Claim: A key revoked at the vault mints nothing; one revoked at the resource server executes nothing, and is not trusted again by itself.
 * Enforced by: vault/store/approver-keys.ts, rs/approver-directory.ts, rs/checks/check-approver.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { keysOf } from '../support/vault-directory.js';

attack(
  'each side’s own revocation holds at once, whatever the other side thinks',
  async ({ world }) => {
    const { stack, caller } = world;
    const { keyId } = world.person.passkey;
    expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
    const minted = await world.approvedDeletion();
    const unminted = await world.signedDeletion();
    await stack.operator('rs', 'revoke', '--key-id', keyId);
    for (let i = 0; i < 2; i++) {
      expect(refusal(await world.execute(minted))).toEqual({
        status: 403,
        code: 'UnknownApprover',
        layer: 'rs',
      });
    }
    expect(world.exists(minted.task_id)).toBe(true);
    expect(await keysOf(stack, caller.subject)).toHaveLength(1);
    await stack.operator('vault', 'revoke-key', '--key-id', keyId);
    expect((await world.bridge.mint(unminted.signed)).body).toMatchObject({
      code: 'UnknownApprover',
      layer: 'vault',
    });
    expect(world.exists(unminted.task_id)).toBe(true);
  },
);
