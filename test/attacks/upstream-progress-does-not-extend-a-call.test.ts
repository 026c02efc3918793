/**
 * Claim: Progress without end neither keeps a call alive beyond its time nor floods its client.
 * Enforced by: rs/upstream/connection.ts, rs/upstream/rate-limit.ts
 */
import { expect } from 'vitest';
import { join } from 'node:path';
import { attack } from '../support/attack.js';
import { notesIn, OPEN, raw, textOf, UpstreamServer } from '../support/upstream-attack.js';

attack(
  'ten thousand notifications a second: two hundred a second at most, and an end',
  async ({ world }) => {
    const LOG = join(UpstreamServer.folder(), 'log');
    const rs = await UpstreamServer.start(
      world,
      {
        upstreams: { shop: raw({ LOG }, { call_timeout_ms: 800, max_call_ms: 1500 }) },
        commands: { '*': OPEN },
      },
      'shop',
    );
    const began = performance.now();
    const lines = await rs.run({ command: 'shop__progress', args: {}, progress: true });
    const seconds = (performance.now() - began) / 1000;
    expect(lines.at(-1)).toMatchObject({
      outcome: { status: 'failure', error: { code: 'UpstreamError' } },
    });
    expect(seconds).toBeGreaterThan(1.2);
    expect(seconds).toBeLessThan(10);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThan(100 * (seconds + 2));
    expect(notesIn(LOG)).toContain('cancelled');
    expect(textOf(await rs.last({ command: 'shop__echo', args: { a: 1 } }))).toContain('"a":1');
  },
);
