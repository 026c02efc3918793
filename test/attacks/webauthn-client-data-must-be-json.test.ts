/**
 * Claim: Client data that is not one JSON object in UTF-8 approves nothing (WebAuthn L3 section 7.2, JSON text).
 * Enforced by: vault/webauthn-client-data.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { createHash } from 'node:crypto';

const honest = (bytes: Uint8Array, origin: string): string =>
  JSON.stringify({
    type: 'webauthn.get',
    challenge: createHash('sha256').update(bytes).digest('base64url'),
    origin,
  });

attack(
  'vault and rs refuse client data they cannot read in exactly one way',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      text: (key, bytes) => key.sign(bytes, { clientDataText: 'approve' }),
      list: (key, bytes) => key.sign(bytes, { clientDataText: '[]' }),
      'trailing text': (key, bytes) =>
        key.sign(bytes, { clientDataText: `${honest(bytes, world.stack.origin)}x` }),
      comment: (key, bytes) =>
        key.sign(bytes, { clientDataText: `/**/${honest(bytes, world.stack.origin)}` }),
    });
  },
);
