/**
 * Claim: A passkey that is one person’s cannot be enrolled as another’s, nor twice (WebAuthn L3 section 7.1, credentialId).
 * Enforced by: vault/store/approver-keys.ts, vault/enrolment.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { CeremonyClient, inviteOf } from '../support/direct-enrolment.js';
import { keysOf } from '../support/vault-directory.js';

attack(
  'a known passkey is refused for another approver, and the invitation stays good',
  async ({ world }) => {
    const { stack, person } = world;
    const mallory = `mallory-${world.caller.subject}`;
    const vault = new CeremonyClient(stack);
    const invitation = await inviteOf(stack, mallory);
    const begun = await vault.begin(invitation);
    expect(refusal(await vault.finish(begun, person.passkey.register(begun.options)))).toEqual({
      status: 400,
      code: 'CeremonyFailed',
      layer: 'vault',
    });
    expect(await keysOf(stack, mallory)).toEqual([]);
    expect(await keysOf(stack, world.caller.subject)).toHaveLength(1);
    await expect(vault.begin(invitation)).resolves.toHaveProperty('enrolment_id');
  },
);
