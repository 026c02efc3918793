/**
 * Claim: The credential id belongs to the key that signed (WebAuthn L3 section 7.2, credential record).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-approver.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';

attack(
  'vault and rs refuse a credential id that is not the one enrolled with the key',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(
      world,
      authenticator,
      {
        'another credential': (key, bytes) => ({
          ...key.sign(bytes),
          credential_id: world.person.passkey.credentialId,
        }),
        'an unknown one': (key, bytes) => ({ ...key.sign(bytes), credential_id: 'AAAA' }),
      },
      'UnknownApprover',
    );
  },
);
