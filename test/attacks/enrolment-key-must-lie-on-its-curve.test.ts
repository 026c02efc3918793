/**
 * Claim: A public key that is no point of its curve is not enrolled (RFC 8725 section 3.4).
 * Enforced by: vault/public-key.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';

attack('the vault refuses a point off the curve', async ({ world }) => {
  await expectNotEnrolled(world, {
    'off the curve': (key, options) =>
      key.create(options, {
        coseKey: Buffer.from(
          `a5010203262001215820${'01'.repeat(32)}225820${'01'.repeat(32)}`,
          'hex',
        ),
      }),
  });
});
