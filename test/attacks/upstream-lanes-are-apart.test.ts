/**
 * Claim: What an upstream asks or says on one client’s connection reaches that client alone, and only the service that was asked can answer.
 * Enforced by: rs/upstream/lanes.ts, rs/asks.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { OPEN, raw, textOf, UpstreamServer } from '../support/upstream-attack.js';

attack(
  'two clients at once: each answers its own question; a stranger answers none',
  async ({ world }) => {
    const rs = await UpstreamServer.start(
      world,
      { upstreams: { shop: raw() }, commands: { '*': OPEN } },
      'shop',
    );
    const roots = (id: string) => ({ result: { roots: [{ uri: `file:///of-${id}` }] } });
    const run = (id: string) =>
      rs.run(
        {
          command: 'shop__asks',
          args: { method: 'roots/list', params: { of: id } },
          lane: rs.lane({ roots: {} }, id),
        },
        () => roots(id),
      );
    const both = await Promise.all(['a', 'b'].map(run));
    for (const [i, id] of ['a', 'b'].entries()) {
      const [ask, outcome] = both[i]!;
      expect(ask).toMatchObject({ kind: 'ask', params: { of: id } });
      expect(textOf(outcome!)).toContain(`file:///of-${id}`);
    }
    const pid = async (id: string) =>
      textOf(await rs.last({ command: 'shop__pid', args: {}, lane: rs.lane({ roots: {} }, id) }));
    expect(await pid('a')).not.toBe(await pid('b'));
    const stolen: number[] = [];
    const ask = {
      command: 'shop__asks',
      args: { method: 'roots/list', params: {} },
      lane: rs.lane({ roots: {} }, 'a'),
    };
    const lines = await rs.run(ask, ({ id }) => {
      // The next service to answer is the one that was asked; a stranger’s try comes first and changes nothing.
      void rs
        .post(`/v1/asks/${id}`, roots('stranger'), 'consent-ui')
        .then(({ status }) => stolen.push(status));
      return roots('a');
    });
    expect(textOf(lines.at(-1)!)).toContain('file:///of-a');
    expect(stolen.filter((status) => status < 400)).toEqual([]);
  },
);
