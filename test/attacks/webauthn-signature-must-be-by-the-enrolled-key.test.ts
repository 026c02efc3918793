/**
 * Claim: A signature by another key under the enrolled key’s names approves nothing (WebAuthn L3 section 7.2, public key).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { SoftwarePasskey } from '../../src/cli/software-passkey.js';

attack(
  'vault and rs look the key up themselves, and refuse another’s signature',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      'another key': (key, bytes) => {
        const { signature } = new SoftwarePasskey(world.stack.origin).sign(bytes);
        return { ...key.sign(bytes), signature };
      },
      'another key, all of it': (key, bytes) => {
        const { key_id, credential_id } = key.sign(bytes);
        return { ...new SoftwarePasskey(world.stack.origin).sign(bytes), key_id, credential_id };
      },
    });
  },
);
