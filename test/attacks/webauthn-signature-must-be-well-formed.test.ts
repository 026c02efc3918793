/**
 * Claim: A signature that is empty of meaning (zeroes, the JOSE form, cut short) approves nothing (WebAuthn L3 section 7.2; section 6.5.5).
 * Enforced by: vault/public-key.ts, rs/signature-algorithms.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { encode } from '../support/service-identity.js';

attack(
  'vault and rs refuse what is not a DER signature, zeroes above all',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      'r and s zero': (key, bytes) => ({
        ...key.sign(bytes),
        signature: encode(Buffer.from('3006020100020100', 'hex')),
      }),
      'zero octets': (key, bytes) => ({ ...key.sign(bytes), signature: encode(Buffer.alloc(64)) }),
      'cut short': (key, bytes) => {
        const made = key.sign(bytes);
        return { ...made, signature: made.signature.slice(0, 40) };
      },
      'octets after it': (key, bytes) => {
        const made = key.sign(bytes);
        const longer = Buffer.concat([Buffer.from(made.signature, 'base64url'), Buffer.of(0)]);
        return { ...made, signature: encode(longer) };
      },
    });
  },
);
