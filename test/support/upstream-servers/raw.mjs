// A stdio server of the 2025 era that says exactly what it is told, however wrong. BEHAVIOUR chooses it; TOOLS names a
// file with the list of tools, read anew for each listing.
import {
  appendFileSync,
  existsSync,
  readFileSync,
  unwatchFile,
  watchFile,
  writeFileSync,
} from 'node:fs';
import { createInterface } from 'node:readline';

const { BEHAVIOUR = '', TOOLS, LOG } = process.env;
const raw = (text) => process.stdout.write(text + '\n');
const say = (message) => raw(JSON.stringify({ jsonrpc: '2.0', ...message }));
const text = (of) => ({ content: [{ type: 'text', text: of }] });
const schema = { type: 'object' };
const waiting = new Map();
let asked = 0;
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `ask-${++asked}`;
    waiting.set(id, resolve);
    say({ id, method, params });
  });

const calls = {
  echo: async ({ id, params }) => say({ id, result: text(JSON.stringify(params)) }),
  pid: async ({ id }) => say({ id, result: text(String(process.pid)) }),
  env: async ({ id }) => say({ id, result: text(JSON.stringify(process.env)) }),
  crash: async () => process.exit(3),
  hang: async () => undefined,
  fails: async ({ id }) => say({ id, result: { isError: true, ...text('it broke') } }),
  rpc: async ({ id }) =>
    say({ id, error: { code: -32002, message: 'no such thing', data: { uri: 'x:y', more: 1 } } }),
  needs_url: async ({ id, params }) => {
    const elicitations = [
      { mode: 'url', elicitationId: '1', url: params.arguments.url, message: 'open' },
    ];
    say({ id, error: { code: -32042, message: 'open it', data: { elicitations, extra: 'kept' } } });
  },
  asks_url: async ({ id, params }) => {
    const { url } = params.arguments;
    const answer = await ask('elicitation/create', {
      mode: 'url',
      url,
      message: 'open',
      elicitationId: '1',
    });
    say({ id, result: text(JSON.stringify(answer)) });
  },
  asks: async ({ id, params }) => {
    const { method, params: of } = params.arguments;
    const answer = await ask(method, of);
    say({ id, result: text(JSON.stringify(answer)) });
  },
  huge: async ({ id }) => {
    // A gibibyte, if somebody takes it.
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`,
    );
    const part = Buffer.alloc(1 << 20, 'x');
    for (let i = 0; i < 1024; i++) {
      if (!process.stdout.write(part))
        await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    raw('"}]}}');
  },
  deep: async ({ id }) => {
    const depth = 200;
    raw(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
    );
  },
  surrogate: async ({ id }) =>
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"\\ud800"}]}}`),
  proto: async ({ id }) =>
    raw(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"__proto__":{"admin":true}},"__proto__":{"isError":true}}}`,
    ),
  progress: async ({ params }) => {
    const { progressToken } = params._meta ?? {};
    for (let progress = 1; ; progress++) {
      say({ method: 'notifications/progress', params: { progressToken, progress } });
      if (progress % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  },
  logs: async ({ id }) => {
    for (let i = 0; i < 300; i++)
      say({ method: 'notifications/message', params: { level: 'info', data: i } });
    say({ id, result: text('logged') });
  },
  slow: async ({ id, params }) => {
    const { file } = params.arguments;
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
    say({ id, result: text('slow but done') });
  },
};

const tools = () =>
  TOOLS
    ? JSON.parse(readFileSync(TOOLS, 'utf8'))
    : Object.keys(calls).map((name) => ({ name, inputSchema: schema }));
if (TOOLS)
  watchFile(TOOLS, { interval: 50 }, () => say({ method: 'notifications/tools/list_changed' }));

const methods = {
  initialize: ({ id, params }) => {
    if (BEHAVIOUR === 'hang-at-initialize') return;
    const { protocolVersion } = params;
    const capabilities = {
      tools: { listChanged: true },
      logging: {},
      resources: { subscribe: true },
    };
    say({
      id,
      result: { protocolVersion, capabilities, serverInfo: { name: 'raw', version: '1' } },
    });
  },
  'tools/list': ({ id, params }) => {
    if (BEHAVIOUR !== 'endless-pages') return say({ id, result: { tools: tools() } });
    const page = Number(params?.cursor ?? 0) + 1;
    say({
      id,
      result: { tools: [{ name: `t${page}`, inputSchema: schema }], nextCursor: String(page) },
    });
  },
  'resources/list': ({ id }) => say({ id, result: { resources: [{ uri: 'x:one', name: 'one' }] } }),
  'resources/subscribe': ({ id, params }) => {
    say({ id, result: {} });
    say({
      method: 'notifications/resources/updated',
      params: { uri: params.uri, pid: process.pid },
    });
  },
  'logging/setLevel': ({ id, params }) => {
    if (LOG) appendFileSync(LOG, `level ${params.level}\n`);
    say({ id, result: {} });
  },
  ping: ({ id }) => say({ id, result: {} }),
  'tools/call': (request) => {
    if (LOG) appendFileSync(LOG, `call ${request.params.name}\n`);
    void (calls[request.params.name] ?? calls.echo)(request);
  },
  'notifications/cancelled': () => LOG && appendFileSync(LOG, 'cancelled\n'),
};

if (BEHAVIOUR === 'noisy')
  for (let i = 0; i < 1000; i++) console.error(`\u001b[2J\u202enoise ${'x'.repeat(5000)}`);
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) {
      waiting.get(message.id)?.(
        message.error ? { error: message.error } : { result: message.result },
      );
      return;
    }
    if (BEHAVIOUR === 'ends-at-probe' && message.method === 'server/discover') process.exit(0);
    const method = methods[message.method];
    if (method) method(message);
    else if (message.id !== undefined)
      say({ id: message.id, error: { code: -32601, message: 'Method not found' } });
  })
  .on('close', () => {
    if (TOOLS) unwatchFile(TOOLS);
    if (LOG) writeFileSync(`${LOG}.closed`, '');
    process.exit(0);
  });
