/**
 * Claim: Nesting beyond the limit is refused at every service, and does not exhaust a stack.
 * Enforced by: src/contract/strict-json.ts, src/mcp/http-app.ts, consent-ui/server/body.ts, vault/http/body.ts, rs/read-body.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedEverywhere } from '../support/surfaces.js';

attack('all four refuse a body nested too deep, and live', async ({ world }) => {
  await expectRefusedEverywhere(world, {
    'a hundred': ({ body }) => body(`${'['.repeat(100)}1${']'.repeat(100)}`),
    'a hundred thousand': ({ body }) => body(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    objects: ({ body }) => body(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
    'never closed': ({ body }) => body('['.repeat(100_000)),
  });
});
