import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/cli/gateway/finding.js';
import { parseGatewayConfig } from '../../../../src/cli/gateway/load.js';
import { gatewayJsonSchema } from '../../../../src/cli/gateway/schema.js';

const SERVER = 'upstreams:\n  files:\n    command: node\n';

/** `line:column path` of everything found. */
function findings(text: string, environment: Record<string, string> = {}): string[] {
  try {
    parseGatewayConfig('f.yaml', text, environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const { fix, problem } of error.findings) expect([fix, problem]).not.toContain('');
    return error.findings.map(
      ({ line, column, path }) => `${line}:${column} ${path.map(String).join('.')}`,
    );
  }
}

describe('what is wrong is said with its place', () => {
  it.each([
    ['a tab where YAML wants spaces', 'version: 1\nupstreams:\n\tfiles: {}\n', ['3:1 ']],
    ['a member twice', `version: 1\nversion: 1\n${SERVER}`, ['2:1 ']],
    ['no version', SERVER, ['1:1 version']],
    ['another version', `version: 2\n${SERVER}`, ['1:1 version']],
    ['an unknown member', `version: 1\nupstream: {}\n${SERVER}`, ['2:1 upstream']],
    ['nothing to protect', 'version: 1\nupstreams: {}\n', ['2:1 upstreams']],
    [
      'a name with capitals',
      'version: 1\nupstreams:\n  Files: {command: x}\n',
      ['3:3 upstreams.Files'],
    ],
    ['neither command nor url', 'version: 1\nupstreams:\n  a: {}\n', ['3:3 upstreams.a']],
    ['both', 'version: 1\nupstreams:\n  a: {command: x, url: "http://x/"}\n', ['3:3 upstreams.a']],
    ['a file: URL', 'version: 1\nupstreams:\n  a: {url: "file:///x"}\n', ['3:7 upstreams.a.url']],
    [
      'args of a url',
      'version: 1\nupstreams:\n  a: {url: "http://x/", args: [a]}\n',
      ['3:25 upstreams.a.args'],
    ],
    [
      'headers of a command',
      'version: 1\nupstreams:\n  a: {command: x, headers: {a: b}}\n',
      ['3:19 upstreams.a.headers'],
    ],
    [
      'an unknown mode',
      `version: 1\n${SERVER}    tools:\n      a: close\n`,
      ['6:7 upstreams.files.tools.a'],
    ],
    [
      'an unknown member of a rule',
      `version: 1\n${SERVER}    tools:\n      a: {mode: open, scope: []}\n`,
      ['6:23 upstreams.files.tools.a.scope'],
    ],
    [
      'a message nobody reads',
      `version: 1\n${SERVER}    tools:\n      a: {mode: open, message: hi}\n`,
      ['6:23 upstreams.files.tools.a.message'],
    ],
    [
      'a brace alone',
      `version: 1\n${SERVER}    tools:\n      a: {mode: gated, message: "x {y"}\n`,
      ['6:24 upstreams.files.tools.a.message'],
    ],
    [
      'two patterns of one length that meet',
      `version: 1\n${SERVER}    tools:\n      a*: open\n      "*b": gated\n`,
      ['7:7 upstreams.files.tools.*b'],
    ],
    [
      'a variable that is not set',
      `version: 1\n${SERVER}    env: {A: "\${NOPE}"}\n`,
      ['5:11 upstreams.files.env.A'],
    ],
    [
      'one prefix that begins another',
      'version: 1\nupstreams:\n  a: {command: x, prefix: ""}\n  b: {command: y}\n',
      ['4:3 upstreams.b.prefix'],
    ],
    ['a short-lived approval', `version: 1\nttl_seconds: 5\n${SERVER}`, ['2:1 ttl_seconds']],
  ])('%s', (_, text, expected) => {
    expect(findings(text)).toEqual(expected);
  });

  it('all of it at once, in the order of the file', () => {
    const text = 'version: 2\nupstreams:\n  A: {command: x}\n  b: {command: x, tools: {t: no}}\n';
    expect(findings(text)).toEqual(['1:1 version', '3:3 upstreams.A', '4:27 upstreams.b.tools.t']);
  });
});

it('a whole file is taken as it is, as YAML and as JSON', () => {
  const value = {
    version: 1,
    caller: { subject: 'alice@example.com' },
    approvers: ['subject'],
    upstreams: {
      files: {
        command: 'node',
        args: ['server.js', '${HOME_DIR}'],
        env: { TOKEN: '${TOKEN}' },
        tools: {
          'read_*': 'open',
          write: { mode: 'gated', message: 'Write {path}', ttl_seconds: 60 },
        },
        resources: 'open',
      },
      web: { url: 'https://example.com/mcp', headers: { authorization: 'Bearer ${TOKEN}' } },
    },
  };
  const text = JSON.stringify(value, null, 2);
  expect(parseGatewayConfig('f.json', text, { TOKEN: 't' })).toEqual(value);
});

it('an alias bomb is refused instead of unfolded', () => {
  const levels = Array.from(
    { length: 9 },
    (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n}, `.repeat(9)}]`,
  );
  const text = `l0: &l0 [x]\n${levels.join('\n')}\n`;
  expect(() => parseGatewayConfig('f.yaml', text, {})).toThrow(/alias/i);
});

it('the published JSON Schema is the one the file is checked with', () => {
  const file = join(import.meta.dirname, '../../../../src/cli/gateway/bridge.config.schema.json');
  const text = `${JSON.stringify(gatewayJsonSchema(), null, 2)}\n`;
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(file, text);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(text));
});
