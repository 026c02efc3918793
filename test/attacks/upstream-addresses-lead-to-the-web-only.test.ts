/**
 * Claim: An address an upstream wants a person to open reaches no client unless it is http or https, whether it asks or answers with -32042.
 * Enforced by: rs/upstream/ask-check.ts, rs/upstream/upstream-failure.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { OPEN, raw, textOf, UpstreamServer } from '../support/upstream-attack.js';

const ADDRESSES = [
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>1</script>',
  'file:///etc/passwd',
  'vscode://open?x',
  'not an address',
  '',
];

attack('https is passed on, everything else is an error without the address', async ({ world }) => {
  const rs = await UpstreamServer.start(
    world,
    { upstreams: { shop: raw() }, commands: { '*': OPEN } },
    'shop',
  );
  const lane = rs.lane({ elicitation: { url: {}, form: {} } });
  const accept = () => ({ result: { action: 'accept' } });
  const asks = (url: string) => rs.run({ command: 'shop__asks_url', args: { url }, lane }, accept);
  const needs = (url: string) => rs.last({ command: 'shop__needs_url', args: { url }, lane });

  const honest = 'https://example.com/pay?x=1';
  const asked = await asks(honest);
  expect(asked[0]).toMatchObject({
    kind: 'ask',
    method: 'elicitation/create',
    params: { url: honest },
  });
  expect(textOf(asked[1]!)).toContain('accept');
  expect(await needs(honest)).toMatchObject({
    outcome: {
      error: {
        rpc: {
          code: -32042,
          message: 'open it',
          data: { elicitations: [{ url: honest }], extra: 'kept' },
        },
      },
    },
  });

  for (const address of ADDRESSES) {
    const lines = await asks(address);
    expect(lines).toHaveLength(1);
    expect(textOf(lines[0]!)).toContain('-32602');
    const line = await needs(address);
    expect(line).toMatchObject({
      outcome: { status: 'failure', error: { rpc: { code: -32042 } } },
    });
    expect(line).not.toHaveProperty('outcome.error.rpc.data');
    expect(JSON.stringify(line)).not.toContain('alert');
  }
  const form = await rs.run(
    {
      command: 'shop__asks',
      args: {
        method: 'elicitation/create',
        params: { message: 'x', url: ADDRESSES[0], requestedSchema: {} },
      },
      lane,
    },
    accept,
  );
  expect(form).toHaveLength(1);
});
