/**
 * Claim: An authenticator that answered for another relying party approves nothing (WebAuthn L3 section 7.2, rpIdHash).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';

attack('vault and rs refuse another RP ID hash', async ({ world, authenticator }) => {
  await expectRefusedByBoth(world, authenticator, {
    another: (key, bytes) => key.sign(bytes, { rpId: 'evil.example' }),
    'a parent': (key, bytes) => key.sign(bytes, { rpId: 'host' }),
    'an address': (key, bytes) => key.sign(bytes, { rpId: '127.0.0.1' }),
  });
});
