/**
 * Claim: Without a person’s touch there is no approval (WebAuthn L3 section 7.2, user presence).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { FLAGS } from '../support/software-authenticator.js';

attack('vault and rs refuse authenticator data without UP', async ({ world, authenticator }) => {
  await expectRefusedByBoth(world, authenticator, {
    'verified but not present': (key, bytes) => key.sign(bytes, { flags: FLAGS.UV }),
    neither: (key, bytes) => key.sign(bytes, { flags: 0 }),
  });
});
