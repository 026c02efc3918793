/**
 * Claim: A vault cannot lengthen what the person allowed: the deadline of the credential is part of the bytes they signed.
 * Enforced by: rs/checks/check-signed-bytes.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

attack(
  'the resource server rebuilds the bytes with the credential’s own deadline',
  async ({ world }) => {
    await expectCredentialRefused(world, 'SignatureMismatch', {
      'a second more': withClaims(({ exp }) => ({ exp: Number(exp) + 1 })),
      'a year more': withClaims(({ exp }) => ({ exp: Number(exp) + 31_536_000 })),
      'a second less': withClaims(({ exp }) => ({ exp: Number(exp) - 1 })),
    });
  },
);
