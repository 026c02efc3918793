/**
 * Claim: Text that UTF-8 cannot carry is refused at every service: a lone surrogate in a value or a name.
 * Enforced by: src/contract/strict-json.ts, src/mcp/http-app.ts, consent-ui/server/body.ts, vault/http/body.ts, rs/read-body.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedEverywhere } from '../support/surfaces.js';

attack('all four refuse lone surrogates, escaped as they must be', async ({ world }) => {
  await expectRefusedEverywhere(world, {
    high: ({ body }) => body('"\\ud800"'),
    low: ({ body }) => body('"\\udc00"'),
    swapped: ({ body }) => body('"\\udc00\\ud800"'),
    'in a name': ({ body }) => body('{"\\ud800":1}'),
    twin: ({ body }) => body('["\\ud83d\\ude00","\\ud83d"]'),
  });
});
