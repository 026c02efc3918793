/**
 * Claim: An upstream’s answer that two parsers could read differently is a typed failure of that call and never reaches the bridge; a member called `__proto__` is a member.
 * Enforced by: rs/upstream/clean-json.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { OPEN, raw, textOf, UpstreamServer } from '../support/upstream-attack.js';

attack(
  'depth, lone surrogates and prototypes, read strictly at the other end',
  async ({ world }) => {
    const rs = await UpstreamServer.start(
      world,
      { upstreams: { shop: raw() }, commands: { '*': OPEN } },
      'shop',
    );
    const call = (tool: string) => rs.last({ command: `shop__${tool}`, args: {} });
    expect(textOf(await call('echo'))).toContain('echo');
    for (const tool of ['deep', 'surrogate']) {
      expect(await call(tool)).toMatchObject({
        outcome: { status: 'failure', error: { code: 'UpstreamError' } },
      });
    }
    const line = await call('proto');
    const result = line.kind === 'outcome' ? line.outcome.result : undefined;
    // Not an error by inheritance, and nobody is an admin.
    expect(line).toMatchObject({ outcome: { status: 'success' } });
    expect(JSON.stringify(result)).toContain('"structuredContent":{"__proto__":{"admin":true}}');
    expect(result?.['isError']).toBeUndefined();
    expect(textOf(await call('echo'))).toContain('echo');
  },
);
