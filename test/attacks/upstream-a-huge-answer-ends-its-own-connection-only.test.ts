/**
 * Claim: An upstream that sends a gigabyte loses that connection with a typed failure; nothing of it is buffered beyond the limit, and other connections go on.
 * Enforced by: rs/upstream/line-buffer.ts, rs/upstream/bounded-body.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import {
  GATED,
  OPEN,
  raw,
  refusedWith,
  textOf,
  UpstreamServer,
} from '../support/upstream-attack.js';

attack(
  'one lane’s flood: that call fails, a call beside it and the next one succeed',
  async ({ world }) => {
    const rs = await UpstreamServer.start(
      world,
      {
        upstreams: {
          shop: raw({}, { max_result_bytes: 1_000_000 }),
          flood: raw({}, { max_result_bytes: 1_000_000, prefix: 'gated__' }),
        },
        commands: { 'gated__*': GATED, '*': OPEN },
      },
      'shop',
      'flood',
    );
    const echo = (lane: string) =>
      rs.last({ command: 'shop__echo', args: { lane }, lane: rs.lane({}, lane) });
    expect(textOf(await echo('a'))).toContain('"a"');
    const [flooded, beside] = await Promise.all([
      rs.last({ command: 'shop__huge', args: {}, lane: rs.lane({}, 'a') }),
      echo('b'),
    ]);
    expect(flooded).toMatchObject({
      outcome: { status: 'failure', error: { code: 'UpstreamError' } },
    });
    expect(textOf(beside)).toContain('"b"');
    expect(textOf(await echo('a'))).toContain('"a"');
    expect(refusedWith(await rs.last(await rs.approved('gated__huge', {})))).toEqual({
      code: 'ExecutionIndeterminate',
      layer: 'rs',
    });
  },
);
