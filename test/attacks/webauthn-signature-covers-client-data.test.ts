/**
 * Claim: Client data changed after signing approves nothing (WebAuthn L3 section 7.2, signature).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';

attack(
  'vault and rs refuse client data nobody signed, even if it means the same',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      'an origin put right': (key, bytes) => {
        const made = key.sign(bytes, { clientData: { origin: 'https://evil.example' } });
        return { ...made, client_data_json: key.sign(bytes).client_data_json };
      },
      'white space': (key, bytes) => {
        const made = key.sign(bytes);
        const text = Buffer.from(made.client_data_json, 'base64url').toString();
        return { ...made, client_data_json: Buffer.from(`${text} `).toString('base64url') };
      },
    });
  },
);
