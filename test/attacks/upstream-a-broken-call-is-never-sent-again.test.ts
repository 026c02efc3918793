/**
 * Claim: A call whose upstream dies or falls silent with the answer outstanding is indeterminate and is never sent a second time.
 * Enforced by: rs/run.ts, rs/upstream/upstream-actions.ts
 */
import { expect } from 'vitest';
import { join } from 'node:path';
import { attack } from '../support/attack.js';
import {
  GATED,
  notesIn,
  raw,
  refusedWith,
  textOf,
  UpstreamServer,
} from '../support/upstream-attack.js';

attack(
  'killed or silent in the middle: ExecutionIndeterminate, once and for all',
  async ({ world }) => {
    const LOG = join(UpstreamServer.folder(), 'log');
    const rs = await UpstreamServer.start(
      world,
      { upstreams: { shop: raw({ LOG }, { call_timeout_ms: 500 }) }, commands: { '*': GATED } },
      'shop',
    );
    expect(textOf(await rs.last(await rs.approved('shop__echo', { a: 1 })))).toContain('"a":1');
    for (const command of ['shop__crash', 'shop__hang']) {
      const call = await rs.approved(command, {});
      for (let time = 0; time < 3; time++) {
        expect(refusedWith(await rs.last(call))).toEqual({
          code: 'ExecutionIndeterminate',
          layer: 'rs',
        });
      }
    }
    expect(notesIn(LOG).filter((note) => note.startsWith('call'))).toEqual([
      'call echo',
      'call crash',
      'call hang',
    ]);
    expect(textOf(await rs.last(await rs.approved('shop__echo', { a: 2 })))).toContain('"a":2');
  },
);
