/**
 * Claim: The challenge is the SHA-256 of the canonical bytes, in its one spelling (WebAuthn L3 section 7.2, challenge).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { createHash } from 'node:crypto';

const digest = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('base64url');

attack(
  'vault and rs refuse an assertion over another challenge',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      'of other bytes': (key, bytes) =>
        key.sign(bytes, { clientData: { challenge: digest('other') } }),
      'of nothing': (key, bytes) => key.sign(bytes, { clientData: { challenge: '' } }),
      padded: (key, bytes) => key.sign(bytes, { clientData: { challenge: `${digest(bytes)}=` } }),
      absent: (key, bytes) => key.sign(bytes, { clientData: { challenge: undefined } }),
      'a list that holds it': (key, bytes) =>
        key.sign(bytes, { clientData: { challenge: [digest(bytes)] } }),
    });
  },
);
