/**
 * Claim: A credential for another agent, or for none, is refused.
 * Enforced by: rs/checks/check-client.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

attack('the resource server refuses a client_id that is not the caller’s', async ({ world }) => {
  await expectCredentialRefused(world, 'WrongClient', {
    another: withClaims({ client_id: 'another-agent' }),
    none: withClaims({ client_id: undefined }),
    'another case': withClaims(({ client_id }) => ({ client_id: String(client_id).toUpperCase() })),
  });
});
