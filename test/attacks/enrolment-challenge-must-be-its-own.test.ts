/**
 * Claim: A registration over another challenge enrols nothing (WebAuthn L3 section 7.1, challenge).
 * Enforced by: vault/enrolment.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';

attack('the vault refuses another challenge', async ({ world }) => {
  await expectNotEnrolled(world, {
    another: (key, options) => key.create({ ...options, challenge: 'AAAA' }),
    padded: (key, options) => key.create({ ...options, challenge: `${options.challenge}=` }),
    none: (key, options) => key.create(options, { clientData: { challenge: undefined } }),
  });
});
