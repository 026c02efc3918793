/**
 * Claim: Authenticator data changed after signing approves nothing (WebAuthn L3 section 7.2, signature).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { FLAGS } from '../support/software-authenticator.js';

attack('vault and rs refuse flags or a counter nobody signed', async ({ world, authenticator }) => {
  await expectRefusedByBoth(world, authenticator, {
    'user verification added': (key, bytes) => {
      const made = key.sign(bytes, { flags: FLAGS.UP });
      return { ...made, authenticator_data: key.sign(bytes).authenticator_data };
    },
    'another counter': (key, bytes) => {
      const made = key.sign(bytes);
      return { ...made, authenticator_data: key.sign(bytes, { counter: 9 }).authenticator_data };
    },
  });
});
