/**
 * Claim: A ceremony that names a top-level origin around the page approves nothing (WebAuthn L3 section 7.2, topOrigin).
 * Enforced by: vault/webauthn-client-data.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';

attack('vault and rs refuse client data with a topOrigin', async ({ world, authenticator }) => {
  await expectRefusedByBoth(world, authenticator, {
    another: (key, bytes) => key.sign(bytes, { clientData: { topOrigin: 'https://evil.example' } }),
    'our own': (key, bytes) => key.sign(bytes, { clientData: { topOrigin: world.stack.origin } }),
  });
});
