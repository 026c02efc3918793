/**
 * Claim: An assertion of another type, on another origin, or in a frame signs nobody in (WebAuthn L3 section 7.2, type to topOrigin).
 * Enforced by: vault/sign-in.ts, vault/webauthn-client-data.ts
 */
import { attack } from '../support/attack.js';
import { expectNotSignedIn } from '../support/sign-in-attack.js';

attack('the vault refuses a sign-in made elsewhere', async ({ world, authenticator }) => {
  await expectNotSignedIn(world, authenticator, {
    registration: (key, challenge) =>
      key.get({ challenge }, { clientData: { type: 'webauthn.create' } }),
    phishing: (key, challenge) =>
      key.get({ challenge }, { clientData: { origin: 'https://evil.example' } }),
    framed: (key, challenge) => key.get({ challenge }, { clientData: { crossOrigin: true } }),
    'under another top': (key, challenge) =>
      key.get({ challenge }, { clientData: { topOrigin: 'https://evil.example' } }),
    'another relying party': (key, challenge) => key.get({ challenge }, { rpId: 'evil.example' }),
  });
});
