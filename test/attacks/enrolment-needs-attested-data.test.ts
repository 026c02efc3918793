/**
 * Claim: A registration without a public key, or with more than one, enrols nothing (WebAuthn L3 section 7.1, attested credential data).
 * Enforced by: vault/enrolment.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';
import { FLAGS } from '../support/software-authenticator.js';

attack(
  'the vault refuses authenticator data that does not hold exactly one credential',
  async ({ world }) => {
    await expectNotEnrolled(world, {
      'no AT flag': (key, options) => key.create(options, { flags: FLAGS.UP | FLAGS.UV }),
      'octets after the key': (key, options) =>
        key.create(options, { trailing: Buffer.from('00', 'hex') }),
    });
  },
);
