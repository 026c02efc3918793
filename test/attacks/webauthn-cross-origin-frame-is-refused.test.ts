/**
 * Claim: A ceremony inside another site’s frame approves nothing (WebAuthn L3 section 7.2, crossOrigin).
 * Enforced by: vault/webauthn-client-data.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';

attack(
  'vault and rs refuse crossOrigin true, and anything that is not a boolean',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      framed: (key, bytes) => key.sign(bytes, { clientData: { crossOrigin: true } }),
      'as text': (key, bytes) => key.sign(bytes, { clientData: { crossOrigin: 'true' } }),
    });
  },
);
