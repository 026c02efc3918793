/**
 * Claim: A ceremony on another origin than the configured page approves nothing (WebAuthn L3 section 7.2, origin).
 * Enforced by: vault/webauthn-assertion.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';

attack(
  'vault and rs refuse an assertion made on another origin, however alike',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      phishing: (key, bytes) => key.sign(bytes, { clientData: { origin: 'https://evil.example' } }),
      'another port': (key, bytes) =>
        key.sign(bytes, { clientData: { origin: 'http://localhost:1' } }),
      'another scheme': (key, bytes) =>
        key.sign(bytes, { clientData: { origin: world.stack.origin.replace('http:', 'https:') } }),
      'a trailing slash': (key, bytes) =>
        key.sign(bytes, { clientData: { origin: `${world.stack.origin}/` } }),
      'a longer host': (key, bytes) =>
        key.sign(bytes, { clientData: { origin: `${world.stack.origin}.evil.example` } }),
      none: (key, bytes) => key.sign(bytes, { clientData: { origin: undefined } }),
    });
  },
);
