/**
 * Claim: A credential in another approver’s name executes nothing on this person’s signature.
 * Enforced by: rs/checks/check-signed-bytes.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

attack('the resource server looks the key up under the credential’s subject', async ({ world }) => {
  await expectCredentialRefused(world, 'SignatureMismatch', {
    another: withClaims({ sub: 'mallory@example.com' }),
    'a look-alike': withClaims(({ sub }) => ({ sub: String(sub).replace('e', '\u0435') })),
    'white space': withClaims(({ sub }) => ({ sub: `${String(sub)} ` })),
  });
});
