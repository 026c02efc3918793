/**
 * Claim: A credential with two authorization details, none, or one of an unknown type is refused (RFC 9396 section 5).
 * Enforced by: rs/checks/check-authorization-detail.ts, src/contract/vault.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

const list = (details: unknown): readonly unknown[] => details as readonly unknown[];

attack('the resource server refuses to choose among details', async ({ world }) => {
  await expectCredentialRefused(world, 'MalformedCredential', {
    none: withClaims({ authorization_details: [] }),
    twice: withClaims(({ authorization_details: d }) => ({
      authorization_details: [...list(d), ...list(d)],
    })),
    'another beside it': withClaims(({ authorization_details: d }) => ({
      authorization_details: [
        ...list(d),
        { type: 'consent_bridge_action', command: 'update_task', args: {} },
      ],
    })),
    'an unknown type': withClaims(({ authorization_details: d }) => ({
      authorization_details: [{ ...(list(d)[0] as object), type: 'payment_initiation' }],
    })),
    'a member more': withClaims(({ authorization_details: d }) => ({
      authorization_details: [{ ...(list(d)[0] as object), locations: ['*'] }],
    })),
  });
});
