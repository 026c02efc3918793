/**
 * Claim: A credential made for another relying party is not enrolled (WebAuthn L3 section 7.1, rpIdHash).
 * Enforced by: vault/enrolment.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';

attack('the vault refuses another RP ID hash', async ({ world }) => {
  await expectNotEnrolled(world, {
    another: (key, options) => key.create(options, { rpId: 'evil.example' }),
    address: (key, options) => key.create(options, { rpId: '127.0.0.1' }),
  });
});
