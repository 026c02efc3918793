/**
 * Claim: A key that is backed up but cannot be contradicts itself (WebAuthn L3 section 7.2, BE and BS).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { FLAGS } from '../support/software-authenticator.js';

attack('vault and rs refuse BS without BE', async ({ world, authenticator }) => {
  await expectRefusedByBoth(world, authenticator, {
    'backed up, not eligible': (key, bytes) =>
      key.sign(bytes, { flags: FLAGS.UP | FLAGS.UV | FLAGS.BS }),
  });
});
