/**
 * Claim: A credential for another command, or other arguments, does not run this one.
 * Enforced by: rs/checks/check-command-bound.ts, rs/checks/check-args-bound.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused, withClaims } from '../support/credential-attack.js';

const detail = (changes: object) =>
  withClaims(({ authorization_details }) => ({
    authorization_details: [{ ...(authorization_details as object[])[0], ...changes }],
  }));

attack('the resource server refuses what differs from the live call', async ({ world }) => {
  await expectCredentialRefused(world, 'CredentialDrift', {
    'another command': detail({ command: 'update_task' }),
    'another case': detail({ command: 'DELETE_TASK' }),
    'other arguments': detail({ args: { task_id: 't-0' } }),
    'arguments more': detail({ args: { task_id: 't-0', force: true } }),
    'no arguments': detail({ args: {} }),
  });
});
