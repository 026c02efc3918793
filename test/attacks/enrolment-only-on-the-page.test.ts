/**
 * Claim: A registration on another origin, or in a frame, enrols nothing (WebAuthn L3 section 7.1, origin, crossOrigin, topOrigin).
 * Enforced by: vault/enrolment.ts, vault/webauthn-client-data.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';

attack('the vault refuses another origin and any frame', async ({ world }) => {
  await expectNotEnrolled(world, {
    phishing: (key, options) =>
      key.create(options, { clientData: { origin: 'https://evil.example' } }),
    framed: (key, options) => key.create(options, { clientData: { crossOrigin: true } }),
    'under another top': (key, options) =>
      key.create(options, { clientData: { topOrigin: 'https://evil.example' } }),
  });
});
