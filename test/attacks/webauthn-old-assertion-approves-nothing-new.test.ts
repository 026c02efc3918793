/**
 * Claim: An assertion made for one call approves no other, whatever is edited.
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';

attack(
  'vault and rs refuse an old assertion for a new call, as it was and with a live challenge put in',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      'as it was': (key) => key.sign(Buffer.from('an earlier action')),
      'with the live challenge': (key, bytes) => {
        const old = key.sign(Buffer.from('an earlier action'));
        return { ...old, client_data_json: key.sign(bytes).client_data_json };
      },
      'with the live signature': (key, bytes) => {
        const old = key.sign(Buffer.from('an earlier action'));
        return { ...old, signature: key.sign(bytes).signature };
      },
    });
  },
);
