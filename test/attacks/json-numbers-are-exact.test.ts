/**
 * Claim: A number that two programs could read differently is refused at every service.
 * Enforced by: src/contract/strict-json.ts, src/mcp/http-app.ts, consent-ui/server/body.ts, vault/http/body.ts, rs/read-body.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedEverywhere } from '../support/surfaces.js';

attack('all four refuse numbers that are not the double they become', async ({ world }) => {
  await expectRefusedEverywhere(world, {
    'beyond 2^53': ({ body }) => body('9007199254740993'),
    overflow: ({ body }) => body('1e400'),
    underflow: ({ body }) => body('1e-400'),
    'minus zero': ({ body }) => body('-0'),
    NaN: ({ body }) => body('NaN'),
    Infinity: ({ body }) => body('-Infinity'),
    'leading zero': ({ body }) => body('01'),
    hexadecimal: ({ body }) => body('0x1'),
    'leading plus': ({ body }) => body('+1'),
  });
});
