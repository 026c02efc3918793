/**
 * Claim: What the resource server’s own table denies does not run, not even with a person’s signature and a credential.
 * Enforced by: rs/checks/check-allowed.ts
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
  'a signed call of a denied command is refused; the one beside it runs',
  async ({ world }) => {
    const LOG = join(UpstreamServer.folder(), 'log');
    const denied = { scopes: [], mode: 'denied' };
    const commands = {
      'shop__*': GATED,
      shop__e: denied,
      'shop__p*': denied,
      'shop:resources/*': denied,
    };
    const rs = await UpstreamServer.start(
      world,
      { upstreams: { shop: raw({ LOG }) }, commands },
      'shop',
    );
    expect(textOf(await rs.last(await rs.approved('shop__echo', { a: 1 })))).toContain('"a":1');
    for (const [command, args] of [
      ['shop__pid', {}],
      ['shop__proto', {}],
      ['shop:resources/read', { uri: 'x:one' }],
    ] as const) {
      expect(refusedWith(await rs.last(await rs.approved(command, args)))).toEqual({
        code: 'ToolDenied',
        layer: 'rs',
      });
      expect(refusedWith(await rs.last({ command, args }))).toEqual({
        code: 'ToolDenied',
        layer: 'rs',
      });
    }
    expect(notesIn(LOG)).toEqual(['call echo']);
  },
);
