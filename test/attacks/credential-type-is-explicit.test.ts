/**
 * Claim: A token of another `typ`, made with the very mint key, is no credential (RFC 8725 section 3.11).
 * Enforced by: rs/checks/check-credential-signature.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused } from '../support/credential-attack.js';
import { mintAnything } from '../support/taken-over-vault.js';
import type { Forge } from '../support/credential-attack.js';

const typed =
  (typ: unknown) =>
  ({ key, claims }: Forge): string =>
    mintAnything(key, claims, { typ });

attack('the resource server takes typ at+jwt and nothing else', async ({ world }) => {
  await expectCredentialRefused(world, 'MalformedCredential', {
    JWT: typed('JWT'),
    'a client assertion': typed('client-authentication+jwt'),
    'an approver’s assertion': typed('approver-authentication+jwt'),
    'another case': typed('AT+JWT'),
    'the long form': typed('application/at+jwt'),
    absent: typed(undefined),
  });
});
