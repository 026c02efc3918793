/** Upstreams that break, hang, shout and lie: each is bounded, and nobody else notices. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hostile, OPEN, UpstreamFixture } from './upstream-fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const dir = mkdtempSync(join(tmpdir(), 'rs-up-'));
const log = join(dir, 'log');
const logged = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);

/** A server of the 2025 era over HTTP whose calls do as `tool` says. */
type Behaviour = (response: ServerResponse, id: number) => void;
const http: Record<string, Behaviour> = {
  fine: (response, id) => json(response, { jsonrpc: '2.0', id, result: { content: [] } }),
  huge_json: (response) => pour(response, 'application/json', '{"a":"'),
  huge_event: (response) => pour(response, 'text/event-stream', 'data: {"a":"'),
  many_lines: (response) => pour(response, 'text/event-stream', 'data: x\n', 'data: x\n'),
  cut_off: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
    setImmediate(() => response.destroy());
  },
  ends_early: (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': bye\n\n'),
  http_500: (response) => response.writeHead(500).end('oops'),
  http_400: (response) => response.writeHead(400).end('oops'),
  redirects: (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
};
let poured = 0;

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
function pour(
  response: ServerResponse,
  type: string,
  head: string,
  part = 'x'.repeat(65_536),
): void {
  poured = 0;
  response.writeHead(200, { 'content-type': type });
  response.write(head);
  const more = () => {
    while (!response.destroyed && poured < 1 << 30) {
      poured += part.length;
      if (!response.write(part)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { id, method, params } = JSON.parse(body) as {
    id?: number;
    method: string;
    params: Record<string, string>;
  };
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const result = {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'h', version: '1' },
    };
    json(response, { jsonrpc: '2.0', id, result });
  } else if (method === 'tools/list') {
    const tools = Object.keys(http).map((name) => ({ name, inputSchema: { type: 'object' } }));
    json(response, { jsonrpc: '2.0', id, result: { tools } });
  } else if (method === 'tools/call') http[params['name']!]!(response, id);
  else if (method === 'ping') json(response, { jsonrpc: '2.0', id, result: {} });
  else json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
}
const web = createServer((request, response) => void serve(request, response));

const f = new UpstreamFixture();
beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
  await f.startWith(
    {
      raw: {
        ...hostile('raw.mjs', { LOG: log }),
        max_result_bytes: 1_048_576,
        call_timeout_ms: 1000,
        max_call_ms: 1500,
      },
      web: { url, max_result_bytes: 1_048_576, call_timeout_ms: 5000 },
      hangs: { ...hostile('raw.mjs', { BEHAVIOUR: 'hang-at-initialize' }), start_timeout_ms: 700 },
      pages: hostile('raw.mjs', { BEHAVIOUR: 'endless-pages' }),
      old: hostile('raw.mjs', { BEHAVIOUR: 'ends-at-probe' }),
      noisy: hostile('raw.mjs', { BEHAVIOUR: 'noisy' }),
      none: { command: join(dir, 'there-is-none') },
      away: { url: 'http://127.0.0.1:9/mcp' },
    },
    {
      '*': OPEN,
      'raw__c*': { scopes: [], mode: 'gated' },
      web__cut_off: { scopes: [], mode: 'gated' },
    },
  );
  await f.ready('raw', 'web', 'old', 'noisy');
});
afterAll(async () => {
  await f.close();
  web.closeAllConnections();
  web.close();
  rmSync(dir, { recursive: true });
});
const failure = (message: RegExp) => ({
  outcome: {
    status: 'failure',
    error: { code: 'UpstreamError', message: expect.stringMatching(message) },
  },
});
const approved = (command: string, args = {}) =>
  f.request({ payload: f.payload({ cmd: command, args }) });

describe('the surface says who is down and why', () => {
  it.each([
    ['hangs', /in time/],
    ['pages', /too many pages/],
    ['none', /ENOENT/],
    ['away', /ECONNREFUSED|cannot be reached|failed/i],
  ])('%s', async (name, detail) => {
    const found = await vi.waitFor(async () => {
      const state = f.upstream(await f.surface(), name);
      expect(state).toMatchObject({ state: 'down' });
      return state;
    }, 10_000);
    expect(found?.detail).toMatch(detail);
  });

  it('a call to them is Unavailable', async () => {
    for (const name of ['hangs', 'none', 'away']) {
      expect(await f.call(`${name}__x`, {})).toMatchObject({
        problem: { code: 'Unavailable', layer: 'rs' },
      });
    }
  });
});

it('a server that ends at the first word it does not know is talked to in its own era', async () => {
  expect(f.text(await f.call('old__echo', { a: 1 }))).toContain('"a":1');
});

it('what a child writes to stderr is named, escaped and bounded', () => {
  const noise = f.printed.filter((line) => /^upstream noisy: .*noise/.test(line));
  expect(noise.length).toBeGreaterThan(0);
  expect(noise.length).toBeLessThanOrEqual(60);
  for (const line of noise) {
    expect(line).toMatch(/^[ -~⟨⟩]*$/);
    expect(line).toContain('⟨U+001B⟩[2J⟨U+202E⟩noise');
    expect(line.length).toBeLessThan(700);
  }
});

describe('over stdio', () => {
  it('a gibibyte of result ends that connection and nothing else', async () => {
    const before = process.memoryUsage().arrayBuffers;
    expect(await f.call('raw__huge', {})).toMatchObject(failure(/connection ended/));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20);
    expect(f.text(await f.call('raw__echo', {}))).toContain('echo');
  });

  it('silence ends with the call’s time, and the upstream is told', async () => {
    expect(await f.call('raw__hang', {})).toMatchObject(failure(/too long/));
    await vi.waitFor(() => expect(logged()).toContain('cancelled'));
  });

  it('a JSON-RPC error arrives as it was sent', async () => {
    expect(await f.call('raw__rpc', {})).toMatchObject({
      outcome: {
        status: 'failure',
        error: {
          code: 'UpstreamError',
          rpc: { code: -32002, message: 'no such thing', data: { uri: 'x:y', more: 1 } },
        },
      },
    });
  });

  it('a tool’s own failure is an outcome with its result', async () => {
    expect(await f.call('raw__fails', {})).toMatchObject({
      outcome: {
        status: 'failure',
        error: { code: 'ToolFailed', message: 'it broke' },
        result: { isError: true, content: [{ text: 'it broke' }] },
      },
    });
  });

  it('a gated call that breaks off is indeterminate and is not sent again', async () => {
    const call = approved('raw__crash');
    const calls = () => logged().filter((line) => line === 'call crash').length;
    const before = calls();
    expect(await f.verdict(call)).toBe('ExecutionIndeterminate');
    expect(await f.verdict(call)).toBe('ExecutionIndeterminate');
    expect(calls()).toBe(before + 1);
    expect(f.text(await f.call('raw__echo', {}))).toContain('echo');
  });

  it('log messages are bounded per run', async () => {
    const body = { command: 'raw__logs', args: {}, caller: f.caller(), lane: f.lane({}, 'logs') };
    f.nowMs += 1000;
    const lines = await f.lines('/v1/execute', body);
    const logs = lines.filter(({ kind }) => kind === 'notification');
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.length).toBeLessThanOrEqual(100);
    expect(lines.at(-1)).toMatchObject({ outcome: { status: 'success' } });
  });
});

describe('over HTTP', () => {
  it.each(['huge_json', 'huge_event', 'many_lines'])(
    '%s ends that connection and nothing else',
    async (tool) => {
      expect(await f.call(`web__${tool}`, {})).toMatchObject(failure(/connection ended/));
      expect(poured).toBeLessThan(64 << 20);
      expect(await f.call('web__fine', {})).toMatchObject({ outcome: { status: 'success' } });
    },
  );

  it('an answer that is cut off is no answer', async () => {
    expect(await f.call('web__ends_early', {})).toMatchObject(failure(/connection ended/));
    expect(await f.verdict(approved('web__cut_off'))).toBe('ExecutionIndeterminate');
  });

  it('HTTP errors are told apart by whether anything can have run', async () => {
    expect(await f.call('web__http_400', {})).toMatchObject(failure(/HTTP 400/));
    expect(await f.call('web__http_500', {})).toMatchObject(failure(/connection ended/));
  });

  it('a redirect to elsewhere is not followed', async () => {
    expect(await f.call('web__redirects', {})).toMatchObject(failure(/HTTP 307/));
  });
});

describe('when the bridge goes away', () => {
  it('an open call is cancelled upstream', async () => {
    const file = join(dir, 'never');
    const abort = new AbortController();
    const body = {
      command: 'raw__slow',
      args: { file },
      caller: f.caller(),
      lane: f.lane({}, 'goes'),
    };
    const cancels = () => logged().filter((line) => line === 'cancelled').length;
    const before = cancels();
    const gone = f.post('/v1/execute', body, abort.signal);
    await vi.waitFor(() => expect(logged()).toContain('call slow'));
    abort.abort();
    await expect(gone).rejects.toThrow();
    await vi.waitFor(() => expect(cancels()).toBe(before + 1));
  });

  it('a gated one goes on and its outcome is kept', async () => {
    await f.restart({
      upstreams: { raw: { ...hostile('raw.mjs', { LOG: log }) } },
      commands: {},
    });
    await f.ready('raw');
    const file = join(dir, 'now');
    const call = approved('raw__slow', { file });
    const abort = new AbortController();
    const starts = () => logged().filter((line) => line === 'call slow').length;
    const before = starts();
    const gone = f.post('/v1/execute', call, abort.signal);
    await vi.waitFor(() => expect(starts()).toBe(before + 1));
    abort.abort();
    await expect(gone).rejects.toThrow();
    writeFileSync(file, '');
    const jti = (
      JSON.parse(Buffer.from(call.credential.split('.')[1]!, 'base64url').toString()) as {
        jti: string;
      }
    ).jti;
    await vi.waitFor(async () => {
      const { body } = await f.http('GET', `/v1/executions/${jti}`);
      expect(body).toMatchObject({ state: 'success', outcome: { status: 'success' } });
    });
  });
});

it('none of that was an error inside', () => {
  expect(f.errors).toEqual([]);
});
