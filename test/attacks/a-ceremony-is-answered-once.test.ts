/**
 * Claim: A challenge is answered once and for its own ceremony: no replay, no sign-in that enrols, no enrolment that signs
 * in.
 * Enforced by: vault/store/ceremonies.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { CeremonyClient, inviteOf } from '../support/direct-enrolment.js';
import { createSoftwareAuthenticator } from '../support/software-authenticator.js';

attack(
  'an answered challenge, or one of the other kind, is no challenge',
  async ({ world, authenticator }) => {
    const vault = new CeremonyClient(world.stack);
    const gone = { status: 400, code: 'CeremonyFailed', layer: 'vault' };
    const asked = (await vault.post('sign-in/options', {})).body as {
      challenge_id: string;
      options: { challenge: string };
    };
    const response = authenticator.get(asked.options);
    const answer = { challenge_id: asked.challenge_id, response };
    expect((await vault.post('sign-in/finish', answer)).status).toBe(200);
    expect(refusal(await vault.post('sign-in/finish', answer))).toEqual(gone);

    const begun = await vault.begin(await inviteOf(world.stack, world.caller.subject));
    const asSignIn = {
      challenge_id: begun.enrolment_id,
      response: authenticator.get(begun.options),
    };
    expect(refusal(await vault.post('sign-in/finish', asSignIn))).toEqual(gone);
    const { origin } = world.stack;
    const fresh = createSoftwareAuthenticator({ rpId: 'localhost', origin });
    const registration = fresh.create(begun.options);
    expect((await vault.finish(begun, registration)).status).toBe(200);
    expect(refusal(await vault.finish(begun, registration))).toEqual(gone);
  },
);
