/**
 * Claim: A body that says one thing twice is refused at every service, however the name is spelt.
 * Enforced by: src/contract/strict-json.ts, src/mcp/http-app.ts, consent-ui/server/body.ts, vault/http/body.ts, rs/read-body.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedEverywhere } from '../support/surfaces.js';

attack('all four refuse duplicate members from the raw text', async ({ world }) => {
  await expectRefusedEverywhere(world, {
    twice: ({ body }) => body('"t-1"').replace('"task_id":', '"task_id":"t-2","task_id":'),
    escaped: ({ body }) => body('"t-1"').replace('"task_id":', '"task\\u005fid":"t-2","task_id":'),
    nested: ({ body }) => body('{"a":1,"a":1}'),
    'first of all': ({ body }) => body('"t-1"').replace('{', '{"":0,"":0,'),
  });
});
