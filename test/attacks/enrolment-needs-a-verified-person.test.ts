/**
 * Claim: A credential made without a present and verified person is not enrolled (WebAuthn L3 section 7.1, UP and UV).
 * Enforced by: vault/enrolment.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';
import { FLAGS } from '../support/software-authenticator.js';

attack('the vault refuses a registration without UP or without UV', async ({ world }) => {
  await expectNotEnrolled(world, {
    'not present': (key, options) => key.create(options, { flags: FLAGS.UV | FLAGS.AT }),
    'not verified': (key, options) => key.create(options, { flags: FLAGS.UP | FLAGS.AT }),
  });
});
