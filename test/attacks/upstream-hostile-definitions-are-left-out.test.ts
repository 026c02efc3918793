/**
 * Claim: A tool with a hostile name, description or schema is left out and on the record, never shown in part and never callable; the tools beside it are not affected.
 * Enforced by: rs/upstream/tool-intake.ts, rs/upstream/tool-schema.ts
 */
import { expect } from 'vitest';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attack } from '../support/attack.js';
import { OPEN, raw, refusedWith, textOf, UpstreamServer } from '../support/upstream-attack.js';

const schema = { type: 'object' };
function nested(depth: number): object {
  return depth === 0
    ? { type: 'string' }
    : { type: 'object', properties: { a: nested(depth - 1) } };
}

attack(
  'sixteen of them among two good ones: two are listed, nothing is fetched',
  async ({ world }) => {
    const TOOLS = join(UpstreamServer.folder(), 'tools.json');
    const fetched: string[] = [];
    const elsewhere = createServer((request, response) => {
      fetched.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/schema.json`;
    const hostile = [
      { name: 'clear\u001b[2J', inputSchema: schema },
      { name: 'bidi\u202e', inputSchema: schema },
      { name: 'sp ace', inputSchema: schema },
      { name: 'n'.repeat(129), inputSchema: schema },
      { name: '', inputSchema: schema },
      { name: 'long', description: 'd'.repeat(100_000), inputSchema: schema },
      { name: 'large', inputSchema: { ...schema, enum: ['e'.repeat(70_000)] } },
      { name: 'outside', inputSchema: { ...schema, properties: { a: { $ref: url } } } },
      { name: 'outside-too', inputSchema: { ...schema, properties: { a: { $dynamicRef: url } } } },
      { name: 'outside-result', inputSchema: schema, outputSchema: { ...schema, $ref: url } },
      { name: 'deep', inputSchema: nested(80) },
      { name: 'says-yes', inputSchema: { ...schema, $async: true, required: ['never'] } },
      { name: 'nonsense', inputSchema: { ...schema, properties: { a: { type: 'no-such-type' } } } },
      { name: 'no-object', inputSchema: { type: 'string' } },
      { name: 'lone', description: '\ud800', inputSchema: schema },
      { name: 'echo', description: 'the same name twice', inputSchema: schema },
    ];
    const good = ['echo', 'proto'].map((name) => ({
      name,
      description: 'd'.repeat(20_000),
      inputSchema: schema,
    }));
    writeFileSync(TOOLS, JSON.stringify([good[0], ...hostile, good[1]]));
    const rs = await UpstreamServer.start(
      world,
      { upstreams: { shop: raw({ TOOLS }) }, commands: { '*': OPEN } },
      'shop',
    );
    const { tools, upstreams } = await rs.surface();
    expect(tools.map(({ name }) => name)).toEqual(['shop__echo', 'shop__proto']);
    expect(upstreams[0]?.detail).toContain(`${hostile.length} tools`);
    expect(await rs.events('tool.left-out')).toHaveLength(hostile.length);
    for (const { name } of hostile.filter((one) => !['echo', ''].includes(one.name))) {
      expect(refusedWith(await rs.last({ command: `shop__${name}`, args: {} }))).toEqual({
        code: 'UnknownTool',
        layer: 'rs',
      });
    }
    expect(textOf(await rs.last({ command: 'shop__echo', args: { a: 1 } }))).toContain('"a":1');
    expect(fetched).toEqual([]);
    await new Promise((resolve) => elsewhere.close(resolve));
  },
);
