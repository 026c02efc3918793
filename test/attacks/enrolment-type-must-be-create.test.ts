/**
 * Claim: An assertion, or any ceremony but a registration, enrols nothing (WebAuthn L3 section 7.1, type).
 * Enforced by: vault/enrolment.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';

attack('the vault refuses a registration of another type', async ({ world }) => {
  await expectNotEnrolled(world, {
    assertion: (key, options) => key.create(options, { clientData: { type: 'webauthn.get' } }),
    payment: (key, options) => key.create(options, { clientData: { type: 'payment.create' } }),
  });
});
