/** One tool of one server, called in different ways: `echo` of server-everything. Every way but the first is over HTTP. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { overlayOf } from '../../dist/src/cli/gateway/overlay.js';
import { loadGatewayConfig } from '../../dist/src/cli/gateway/load.js';
import { issueToken } from '../../dist/src/cli/operator.js';
import { freePorts } from '../../dist/src/cli/ports.js';
import { startStack } from '../../dist/src/cli/stack.js';
import { installed } from '../support/installed.mjs';

export const PROXY = '6.7.19';
const SUBJECT = 'bench@example.com';
const MESSAGE = 'the quick brown fox jumps over the lazy dog';
const everything = join(
  dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  ),
  'dist',
  'index.js',
);

/** @returns the ways, each with a connected client: `call`, CPU microseconds of its processes, `close` */
export async function openWays() {
  return [await onStdio(), await onHttp(), await behindProxy(), await behindGateway()];
}

async function onStdio() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [everything, 'stdio'],
    stderr: 'ignore',
  });
  const client = await connected(transport);
  return way(
    'the server on stdio',
    client,
    'echo',
    () => family(transport.pid),
    () => client.close(),
  );
}

async function onHttp() {
  const port = await freePort();
  const child = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const client = await connectedTo(`http://127.0.0.1:${port}/mcp`);
  return way(
    'the server over HTTP',
    client,
    'echo',
    () => family(child.pid),
    async () => {
      await client.close();
      await ended(child);
    },
  );
}

async function behindProxy() {
  const port = await freePort();
  const home = await installed('mcp-proxy', PROXY);
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const program = join(home, typeof bin === 'string' ? bin : bin['mcp-proxy']);
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream'];
  const child = spawn(
    process.execPath,
    [program, ...flags, '--', process.execPath, everything, 'stdio'],
    {
      stdio: 'ignore',
    },
  );
  const client = await connectedTo(`http://127.0.0.1:${port}/mcp`);
  return way(
    `behind mcp-proxy ${PROXY}`,
    client,
    'echo',
    () => family(child.pid),
    async () => {
      await client.close();
      await ended(child);
    },
  );
}

async function behindGateway() {
  const gateway = await openGateway({ command: process.execPath, args: [everything, 'stdio'] });
  const client = await connectedTo(gateway.url, await gateway.token('bench'));
  return way(
    'behind the gateway',
    client,
    'everything__echo',
    () => family(process.pid, gateway.isOurs),
    async () => {
      await client.close();
      await gateway.close();
    },
  );
}

/** The four processes before one upstream, everything open. */
export async function openGateway(upstream) {
  const directory = mkdtempSync(join(tmpdir(), 'conf-bench-'));
  const file = join(directory, 'bridge.config.yaml');
  const policy = { tools: { '*': 'open' }, resources: 'open', prompts: 'open' };
  const upstreams = { everything: { ...upstream, ...policy } };
  writeFileSync(file, JSON.stringify({ version: 1, upstreams }));
  const data = join(directory, 'data');
  const die = (line) => process.stderr.write(`${line}\n`);
  const { bridge } = await freePorts();
  const stack = await startStack(data, die, bridge, overlayOf(loadGatewayConfig(file), file));
  return {
    url: `http://127.0.0.1:${stack.configs.bridge.listen.port}/mcp`,
    token: async (clientId) =>
      (await issueToken(data, { subject: SUBJECT, clientId, scopes: [], ttlSeconds: 3600 })).token,
    /** Whether a command line is one of the four. */
    isOurs: (line) => line.includes(data),
    pidOf: (domain) => all().find(({ line }) => line.includes(join(data, domain)))?.pid,
    close: async () => {
      await stack.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function connectedTo(url, token, capabilities = {}) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const until = Date.now() + 20_000;
  for (;;) {
    try {
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers },
      });
      return await connected(transport, capabilities);
    } catch (error) {
      // Not up yet.
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function connected(transport, capabilities = {}) {
  const client = new Client({ name: 'bench', version: '1' }, { capabilities });
  await client.connect(transport);
  return client;
}

function way(name, client, tool, pids, close) {
  const call = async () => {
    const { content } = await client.callTool({ name: tool, arguments: { message: MESSAGE } });
    if (!content[0].text.includes(MESSAGE)) throw new Error(`${name} answered something else`);
  };
  return { name, call, close, cpuMicros: () => sum(pids().map(cpuMicros)) };
}

/** Ids of a process and what it started; of our own children only those that `wanted` takes. */
function family(pid, wanted) {
  const processes = all();
  const below = (parent) =>
    processes
      .filter((one) => one.parent === parent)
      .filter(({ line }) => parent !== process.pid || wanted === undefined || wanted(line))
      .flatMap((one) => [one.pid, ...below(one.pid)]);
  return pid === process.pid ? below(pid) : [pid, ...below(pid)];
}

function all() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'));
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(parent), line }];
      } catch {
        return []; // Gone meanwhile.
      }
    });
}

/** utime and stime of proc(5), in microseconds. */
function cpuMicros(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function sum(numbers) {
  return numbers.reduce((all, one) => all + one, 0);
}

function ended(child) {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return gone;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
