/**
 * Claim: A body over 256 KiB is refused at every service before it is read.
 * Enforced by: src/mcp/http-app.ts, consent-ui/server/app.ts, vault/http/body.ts, rs/read-body.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedEverywhere } from '../support/surfaces.js';

attack('all four refuse a large body', async ({ world }) => {
  await expectRefusedEverywhere(
    world,
    {
      'a large value': ({ body }) => body(`"${'x'.repeat(262_144)}"`),
      'large white space': ({ body }) => `${' '.repeat(262_144)}${body('"t-1"')}`,
    },
    { status: 413, code: 'PayloadTooLarge' },
  );
});
