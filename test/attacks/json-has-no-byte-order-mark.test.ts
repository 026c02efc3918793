/**
 * Claim: A byte order mark before a body is refused at every service (RFC 8259 section 8.1).
 * Enforced by: src/contract/strict-json.ts, src/mcp/http-app.ts, consent-ui/server/body.ts, vault/http/body.ts, rs/read-body.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedEverywhere } from '../support/surfaces.js';

attack('all four refuse a BOM, in front and between', async ({ world }) => {
  await expectRefusedEverywhere(world, {
    'in front': ({ body }) => `\ufeff${body('"t-1"')}`,
    'twice in front': ({ body }) => `\ufeff\ufeff${body('"t-1"')}`,
    between: ({ body }) => body('\ufeff"t-1"'),
  });
});
