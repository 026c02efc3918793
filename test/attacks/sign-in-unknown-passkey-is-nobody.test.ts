/**
 * Claim: A passkey nobody enrolled signs nobody in.
 * Enforced by: vault/sign-in.ts
 */
import { attack } from '../support/attack.js';
import { expectNotSignedIn } from '../support/sign-in-attack.js';
import { SoftwarePasskey } from '../../src/cli/software-passkey.js';

attack('the vault refuses a credential it does not know', async ({ world, authenticator }) => {
  await expectNotSignedIn(
    world,
    authenticator,
    {
      stranger: (_key, challenge) =>
        new SoftwarePasskey(world.stack.origin).authenticate(challenge),
    },
    { status: 403, code: 'UnknownApprover', layer: 'vault' },
  );
});
