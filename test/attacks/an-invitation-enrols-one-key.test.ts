/**
 * Claim: An invitation enrols one key, for its own approver, until it runs out; a guess enrols none.
 * Enforced by: vault/store/invites.ts, vault/enrolment.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { CeremonyClient, inviteOf } from '../support/direct-enrolment.js';
import { createSoftwareAuthenticator } from '../support/software-authenticator.js';
import { keysOf } from '../support/vault-directory.js';

attack(
  'two enrolments begun with one invitation end in one key; spent, guessed and expired look alike',
  async ({ world }) => {
    const { stack } = world;
    const approver = `invited-${world.caller.subject}`;
    const vault = new CeremonyClient(stack);
    const invitation = await inviteOf(stack, approver);
    const both = [await vault.begin(invitation), await vault.begin(invitation)];
    const answers = [];
    for (const begun of both) {
      const fresh = createSoftwareAuthenticator({ rpId: 'localhost', origin: stack.origin });
      answers.push(refusal(await vault.finish(begun, fresh.create(begun.options))));
    }
    const invalid = { status: 403, code: 'InviteInvalid', layer: 'vault' };
    expect(answers).toMatchObject([{ status: 200 }, invalid]);
    expect(await keysOf(stack, approver)).toHaveLength(1);

    const expired = await inviteOf(stack, approver, 0);
    for (const invite of [invitation, expired, 'guess', `${invitation} `]) {
      expect(refusal(await vault.post('enrolments/options', { invite }))).toEqual(invalid);
    }
  },
);
