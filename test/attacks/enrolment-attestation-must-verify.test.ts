/**
 * Claim: An attestation that does not verify, or says more than its format may, enrols nothing (WebAuthn L3 section 7.1, attStmt).
 * Enforced by: vault/enrolment.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';

const JUNK = Buffer.from('3000', 'hex');

attack('the vault refuses attestation statements that do not hold', async ({ world }) => {
  await expectNotEnrolled(world, {
    'a statement under none': (key, options) =>
      key.create(options, { attestation: { fmt: 'none', statement: { alg: -7 } } }),
    'packed with a certificate': (key, options) =>
      key.create(options, {
        attestation: { fmt: 'packed', statement: { alg: -7, sig: JUNK, x5c: [JUNK] } },
      }),
    'self attestation by nobody': (key, options) =>
      key.create(options, { attestation: { fmt: 'packed', statement: { alg: -7, sig: JUNK } } }),
    safetynet: (key, options) =>
      key.create(options, {
        attestation: { fmt: 'android-safetynet', statement: { ver: '1', response: JUNK } },
      }),
    unknown: (key, options) => key.create(options, { attestation: { fmt: 'evil', statement: {} } }),
  });
});
