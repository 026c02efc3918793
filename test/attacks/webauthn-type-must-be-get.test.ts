/**
 * Claim: A ceremony of another type (a registration, a payment) approves nothing (WebAuthn L3 section 7.2, type).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';

attack(
  'vault and rs refuse an assertion whose client data says another type',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      registration: (key, bytes) => key.sign(bytes, { clientData: { type: 'webauthn.create' } }),
      payment: (key, bytes) => key.sign(bytes, { clientData: { type: 'payment.get' } }),
      'another case': (key, bytes) => key.sign(bytes, { clientData: { type: 'WebAuthn.Get' } }),
      none: (key, bytes) => key.sign(bytes, { clientData: { type: undefined } }),
    });
  },
);
