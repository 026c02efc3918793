import { expect, it } from 'vitest';
import { compile } from '../../../../src/cli/gateway/compile.js';
import type { GatewayConfig } from '../../../../src/cli/gateway/schema.js';

const initial = {
  bridge: { policy: { list_tasks: { mode: 'open', scopes: ['tasks.read'] } } },
  rs: { commands: { list_tasks: { mode: 'open', scopes: ['tasks.read'] } } },
};
const around = { directory: '/etc/cb', environment: { TOKEN: 's3cret' } };
const config = (more: Partial<GatewayConfig>): GatewayConfig => ({
  version: 1,
  upstreams: {},
  ...more,
});

it('a rule is what the bridge asks by and what the resource server enforces', () => {
  const { bridge, rs, vault } = compile(
    config({
      upstreams: {
        files: {
          command: 'node',
          tools: {
            'read_*': 'open',
            'write_*': {
              mode: 'gated',
              scopes: ['w'],
              message: 'Write {path}',
              approvers: ['bob', 'subject'],
              ttl_seconds: 60,
              fallback: 'hold',
            },
            rm: 'denied',
          },
          resources: 'open',
        },
      },
    }),
    initial,
    around,
  );
  expect(rs['commands']).toEqual({
    'files__read_*': { mode: 'open', scopes: [] },
    'files__write_*': { mode: 'gated', scopes: ['w'] },
    files__rm: { mode: 'denied', scopes: [] },
    'files:resources/read': { mode: 'open', scopes: [] },
    'files:prompts/get': { mode: 'gated', scopes: [] },
  });
  expect(bridge['policy']).toMatchObject({
    'files__write_*': {
      mode: 'gated',
      scopes: ['w'],
      binding_message: 'Write {path}',
      approver: 'bob',
      ttl_seconds: 60,
      fallback: 'hold',
    },
    files__rm: { mode: 'denied' },
  });
  const policy = { default: ['subject'], commands: { 'files__write_*': ['bob', 'subject'] } };
  expect(rs['policy']).toEqual(policy);
  expect(vault['policy']).toEqual(policy);
});

it('secrets go to the resource server and nowhere else', () => {
  const upstreams = {
    a: { command: './run', env: { KEY: '${TOKEN}' } },
    b: { url: 'https://x/mcp', headers: { authorization: 'Bearer ${TOKEN}' }, prefix: '' },
  };
  const { bridge, vault, rs } = compile(config({ upstreams }), initial, around);
  const asked = { list_with: ['sampling', 'elicitation', 'roots'] };
  expect(JSON.stringify([bridge, vault])).not.toContain('s3cret');
  expect(rs['upstreams']).toEqual({
    a: { command: './run', cwd: '/etc/cb', prefix: 'a__', ...asked, env: { KEY: 's3cret' } },
    b: { url: 'https://x/mcp', prefix: '', ...asked, headers: { authorization: 'Bearer s3cret' } },
  });
});

it('the example tasks are there only when asked for', () => {
  const upstreams = { a: { command: 'x' } };
  const without = compile(config({ upstreams }), initial, around);
  expect(without.rs).toMatchObject({ example_tasks: false });
  expect(without.rs['commands']).not.toHaveProperty('list_tasks');
  const withThem = compile(config({ upstreams, example_tasks: true }), initial, around);
  expect(withThem.rs).toMatchObject({ example_tasks: true });
  expect(withThem.rs['commands']).toHaveProperty('list_tasks');
});

it('what no rule names is asked of the people that are named for everything', () => {
  const upstreams = { a: { command: 'x' } };
  const { bridge, rs } = compile(config({ upstreams, approvers: ['bob'] }), initial, around);
  expect(bridge['policy']).toMatchObject({ '*': { mode: 'gated', scopes: [], approver: 'bob' } });
  expect(rs['policy']).toMatchObject({ default: ['bob'] });
});
