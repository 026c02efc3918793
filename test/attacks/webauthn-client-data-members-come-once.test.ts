/**
 * Claim: Client data that says one thing twice approves nothing (WebAuthn L3 section 7.2, C is parsed once).
 * Enforced by: vault/webauthn-client-data.ts, rs/checks/check-webauthn-assertion.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedByBoth } from '../support/ceremony-attack.js';
import { createHash } from 'node:crypto';

const text = (bytes: Uint8Array, ...origins: string[]): string =>
  `{"type":"webauthn.get","challenge":"${createHash('sha256').update(bytes).digest('base64url')}",` +
  `${origins.map((origin) => `"origin":"${origin}"`).join(',')}}`;

attack(
  'vault and rs refuse duplicate members, whichever comes first',
  async ({ world, authenticator }) => {
    await expectRefusedByBoth(world, authenticator, {
      'our origin last': (key, bytes) =>
        key.sign(bytes, {
          clientDataText: text(bytes, 'https://evil.example', world.stack.origin),
        }),
      'our origin first': (key, bytes) =>
        key.sign(bytes, {
          clientDataText: text(bytes, world.stack.origin, 'https://evil.example'),
        }),
    });
  },
);
