/**
 * Claim: A server that runs as a child sees nothing of the resource server’s environment but PATH, HOME, LANG, TERM and TMPDIR, and what the operator wrote for it.
 * Enforced by: rs/upstream/child-environment.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { OPEN, raw, textOf, UpstreamServer } from '../support/upstream-attack.js';

attack(
  'a secret beside the resource server is not in the child’s environment',
  async ({ world }) => {
    const env = {
      SECRET_OF_THE_RS: 's3cret',
      NODE_EXTRA: 's3cret',
      USER: 's3cret',
      AWS_SECRET_ACCESS_KEY: 's3cret',
    };
    const rs = await UpstreamServer.start(
      world,
      { upstreams: { shop: raw({ FOR_IT: 'given' }) }, commands: { '*': OPEN }, env },
      'shop',
    );
    const seen = JSON.parse(textOf(await rs.last({ command: 'shop__env', args: {} }))) as Record<
      string,
      string
    >;
    expect(seen['FOR_IT']).toBe('given');
    const passed = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR', 'FOR_IT'];
    expect(Object.keys(seen).filter((name) => !passed.includes(name))).toEqual([]);
    expect(JSON.stringify(seen)).not.toContain('s3cret');
  },
);
