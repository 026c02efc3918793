/**
 * Claim: A schema whose pattern takes for ever on some text, and that text, cost the resource server a second and that call.
 * Enforced by: rs/upstream/tool-schema.ts
 */
import { expect } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attack } from '../support/attack.js';
import { OPEN, raw, refusedWith, textOf, UpstreamServer } from '../support/upstream-attack.js';

attack('exponential backtracking is cut off', async ({ world }) => {
  const TOOLS = join(UpstreamServer.folder(), 'tools.json');
  const properties = { a: { type: 'string', pattern: '^(a+)+$' } };
  writeFileSync(
    TOOLS,
    JSON.stringify([{ name: 'echo', inputSchema: { type: 'object', properties } }]),
  );
  const rs = await UpstreamServer.start(
    world,
    { upstreams: { shop: raw({ TOOLS }) }, commands: { '*': OPEN } },
    'shop',
  );
  expect(textOf(await rs.last({ command: 'shop__echo', args: { a: 'aaa' } }))).toContain('aaa');
  const began = performance.now();
  const line = await rs.last({ command: 'shop__echo', args: { a: `${'a'.repeat(60)}!` } });
  expect(refusedWith(line)).toEqual({ code: 'Unavailable', layer: 'rs' });
  expect(performance.now() - began).toBeLessThan(5000);
  expect(textOf(await rs.last({ command: 'shop__echo', args: { a: 'aaaa' } }))).toContain('aaaa');
});
