/**
 * Claim: A key of an algorithm that was not offered, or on another curve, is not enrolled (WebAuthn L3 section 7.1, alg).
 * Enforced by: vault/enrolment.ts, vault/cose-key.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';

/** {1: EC2, 3: alg, -1: curve, -2: 32 octets, -3: 32 octets} (RFC 9053 section 7.1.1). */
function cose(alg: number, curve: number): Buffer {
  const negative = -1 - alg;
  const name = negative < 24 ? Buffer.of(0x20 | negative) : Buffer.of(0x38, negative);
  const head = Buffer.concat([Buffer.of(0xa5, 1, 2, 3), name, Buffer.of(0x20, curve)]);
  const coordinate = Buffer.concat([Buffer.of(0x58, 32), Buffer.alloc(32, 1)]);
  return Buffer.concat([head, Buffer.of(0x21), coordinate, Buffer.of(0x22), coordinate]);
}

attack('the vault refuses algorithms it did not offer', async ({ world }) => {
  await expectNotEnrolled(world, {
    'ES384 by name': (key, options) => key.create(options, { coseKey: cose(-35, 1) }),
    'ES256K by name': (key, options) => key.create(options, { coseKey: cose(-47, 1) }),
    'ES256 on P-384': (key, options) => key.create(options, { coseKey: cose(-7, 2) }),
  });
});
