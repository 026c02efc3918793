/**
 * Claim: A raw control character, NUL above all, is refused at every service.
 * Enforced by: src/contract/strict-json.ts, src/mcp/http-app.ts, consent-ui/server/body.ts, vault/http/body.ts, rs/read-body.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedEverywhere } from '../support/surfaces.js';

attack('all four refuse raw control characters in strings and around values', async ({ world }) => {
  await expectRefusedEverywhere(world, {
    'NUL in a string': ({ body }) => body('"t\0-1"'),
    'newline in a string': ({ body }) => body('"t\n1"'),
    'NUL at the end': ({ body }) => `${body('"t-1"')}\0`,
    'form feed between': ({ body }) => body('\f"t-1"'),
    'no-break space between': ({ body }) => body('\u00a0"t-1"'),
  });
});
