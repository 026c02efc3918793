/**
 * Claim: An assertion signed by another key, or changed after signing, signs nobody in (WebAuthn L3 section 7.2, signature).
 * Enforced by: vault/sign-in.ts
 */
import { attack } from '../support/attack.js';
import { expectNotSignedIn } from '../support/sign-in-attack.js';
import { FLAGS } from '../support/software-authenticator.js';
import { SoftwarePasskey } from '../../src/cli/software-passkey.js';

attack('the vault verifies with the key it enrolled', async ({ world, authenticator }) => {
  await expectNotSignedIn(world, authenticator, {
    'another key': (key, challenge) => {
      const made = key.get({ challenge });
      const other = new SoftwarePasskey(world.stack.origin).authenticate(challenge);
      return { ...made, response: { ...made.response, signature: other.response.signature } };
    },
    'flags put right': (key, challenge) => {
      const made = key.get({ challenge }, { flags: FLAGS.UP });
      const { authenticatorData } = key.get({ challenge }).response;
      return { ...made, response: { ...made.response, authenticatorData } };
    },
  });
});
