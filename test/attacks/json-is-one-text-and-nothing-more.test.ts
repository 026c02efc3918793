/**
 * Claim: What lenient parsers take (comments, trailing commas, single quotes, text after the end) is refused at every service.
 * Enforced by: src/contract/strict-json.ts, src/mcp/http-app.ts, consent-ui/server/body.ts, vault/http/body.ts, rs/read-body.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedEverywhere } from '../support/surfaces.js';

attack('all four read RFC 8259 and nothing else', async ({ world }) => {
  await expectRefusedEverywhere(world, {
    comment: ({ body }) => body('/* 1 */"t-1"'),
    'trailing comma': ({ body }) => body('["t-1",]'),
    'single quotes': ({ body }) => body("'t-1'"),
    'bare name': ({ body }) => body('{a:1}'),
    'a second value': ({ body }) => `${body('"t-1"')}{}`,
    'an unknown escape': ({ body }) => body('"\\x41"'),
    'a capital literal': ({ body }) => body('True'),
    empty: () => ' ',
  });
});
