/**
 * Claim: A touch alone, without PIN or biometric, is no approval (WebAuthn L3 section 7.2, user verification).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { FLAGS } from '../support/software-authenticator.js';

attack('vault and rs refuse authenticator data without UV', async ({ world, authenticator }) => {
  await expectRefusedByBoth(world, authenticator, {
    'present but not verified': (key, bytes) => key.sign(bytes, { flags: FLAGS.UP }),
    'with backup flags': (key, bytes) => key.sign(bytes, { flags: FLAGS.UP | FLAGS.BE | FLAGS.BS }),
  });
});
