/**
 * Claim: A registration whose client data says one thing twice enrols nothing (WebAuthn L3 section 7.1, JSON text).
 * Enforced by: vault/webauthn-client-data.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';

attack('the vault reads client data in exactly one way', async ({ world }) => {
  await expectNotEnrolled(world, {
    'two origins': (key, options) =>
      key.create(options, {
        clientDataText: `{"type":"webauthn.create","challenge":"${options.challenge}","origin":"https://evil.example","origin":"${world.stack.origin}"}`,
      }),
    text: (key, options) => key.create(options, { clientDataText: 'enrol' }),
  });
});
