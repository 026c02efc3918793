import { describe, expect, it } from 'vitest';
import { importServers } from '../../../../src/cli/gateway/import.js';

const from = (value: unknown) => importServers('f.json', JSON.stringify(value));

describe('servers are taken from what clients keep', () => {
  it('.mcp.json and Claude Desktop', () => {
    const server = { command: 'npx', args: ['-y', 'x'], env: { KEY: 'k', PORT: 1 } };
    expect(from({ mcpServers: { files: server } }).upstreams).toEqual({
      files: { command: 'npx', args: ['-y', 'x'], env: { KEY: 'k', PORT: '1' } },
    });
  });

  it('VS Code, with its variables', () => {
    const web = { type: 'http', url: 'https://x/mcp', headers: { a: 'Bearer ${input:my-key}' } };
    const local = { command: '${workspaceFolder}/run', env: { K: '${env:KEY}', D: '${X:-dflt}' } };
    expect(from({ servers: { web, local }, inputs: [] }).upstreams).toEqual({
      web: { url: 'https://x/mcp', headers: { a: 'Bearer ${MY_KEY}' } },
      local: { command: './run', env: { K: '${KEY}', D: 'dflt' } },
    });
  });

  it('names become ours, each its own, and it is said', () => {
    const server = { command: 'x' };
    const { upstreams, notes } = from({ mcpServers: { 'My Files!': server, 'my files': server } });
    expect(Object.keys(upstreams)).toEqual(['my-files', 'my-files-2']);
    expect(notes).toHaveLength(2);
  });

  it.each([
    ['the bridge itself', { 'consent-bridge': { url: 'http://127.0.0.1:8420/mcp' } }],
    ['a server on the SSE transport', { old: { type: 'sse', url: 'https://x/sse' } }],
    ['one with neither command nor url', { empty: {} }],
  ])('%s is left out, and it is said', (_, mcpServers) => {
    const { upstreams, notes } = from({ mcpServers });
    expect(upstreams).toEqual({});
    expect(notes).toHaveLength(1);
  });
});

it.each([
  ['no JSON', 'version: 1'],
  ['no servers', '{}'],
  ['a list', '[]'],
  ['a server that is text', '{"mcpServers":{"a":"npx"}}'],
])('%s is refused in one line that names the file', (_, text) => {
  expect(() => importServers('f.json', text)).toThrow(/^f\.json[^\n]*$/);
});
