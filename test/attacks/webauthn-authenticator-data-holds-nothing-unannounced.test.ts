/**
 * Claim: Authenticator data is its fixed part and announced extensions, to the last octet (WebAuthn L3 section 7.2; section 6.1).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/authenticator-data.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { FLAGS } from '../support/software-authenticator.js';

const EMPTY_MAP = Buffer.of(0xa0);
const WITH_ED = FLAGS.UP | FLAGS.UV | FLAGS.ED;

attack(
  'vault and rs refuse octets that no flag announces, and flags that announce what is not there',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      'trailing octets': (key, bytes) => key.sign(bytes, { trailing: Buffer.of(0) }),
      'a map nobody announced': (key, bytes) => key.sign(bytes, { trailing: EMPTY_MAP }),
      'extensions announced, none there': (key, bytes) => key.sign(bytes, { flags: WITH_ED }),
      'extensions that are no map': (key, bytes) =>
        key.sign(bytes, { flags: WITH_ED, trailing: Buffer.of(0x80) }),
      'octets after the extensions': (key, bytes) =>
        key.sign(bytes, { flags: WITH_ED, trailing: Buffer.concat([EMPTY_MAP, Buffer.of(0)]) }),
      'a map that is cut short': (key, bytes) =>
        key.sign(bytes, { flags: WITH_ED, trailing: Buffer.of(0xa1) }),
      'attested data announced': (key, bytes) =>
        key.sign(bytes, { flags: FLAGS.UP | FLAGS.UV | FLAGS.AT }),
    });
  },
);
