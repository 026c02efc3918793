/**
 * Claim: A credential that is backed up but cannot be is not enrolled (WebAuthn L3 section 7.1, BE and BS).
 * Enforced by: vault/enrolment.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';
import { FLAGS } from '../support/software-authenticator.js';

attack('the vault refuses BS without BE', async ({ world }) => {
  await expectNotEnrolled(world, {
    'backed up, not eligible': (key, options) =>
      key.create(options, { flags: FLAGS.UP | FLAGS.UV | FLAGS.AT | FLAGS.BS }),
  });
});
