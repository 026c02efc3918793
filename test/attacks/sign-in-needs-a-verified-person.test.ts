/**
 * Claim: Without a present and verified person nobody is signed in (WebAuthn L3 section 7.2, UP and UV).
 * Enforced by: vault/sign-in.ts
 */
import { attack } from '../support/attack.js';
import { expectNotSignedIn } from '../support/sign-in-attack.js';
import { FLAGS } from '../support/software-authenticator.js';

attack('the vault refuses a sign-in without UP or without UV', async ({ world, authenticator }) => {
  await expectNotSignedIn(world, authenticator, {
    'not present': (key, challenge) => key.get({ challenge }, { flags: FLAGS.UV }),
    'not verified': (key, challenge) => key.get({ challenge }, { flags: FLAGS.UP }),
    'contradicting itself': (key, challenge) =>
      key.get({ challenge }, { flags: FLAGS.UP | FLAGS.UV | FLAGS.BS }),
  });
});
