/**
 * Claim: A passkey signs in its owner: an answer that names no user, or another, signs nobody in (WebAuthn L3 section 7.2, user handle).
 * Enforced by: vault/sign-in.ts
 */
import { attack } from '../support/attack.js';
import { expectNotSignedIn } from '../support/sign-in-attack.js';

attack(
  'the vault refuses a user handle that is not the one it gave the owner of the credential',
  async ({ world, authenticator }) => {
    await expectNotSignedIn(world, authenticator, {
      none: (key, challenge) => {
        const made = key.get({ challenge });
        const { authenticatorData, clientDataJSON, signature } = made.response;
        return { ...made, response: { authenticatorData, clientDataJSON, signature } };
      },
      another: (key, challenge) => {
        const made = key.get({ challenge });
        return { ...made, response: { ...made.response, userHandle: 'AAAA' } };
      },
    });
  },
);
