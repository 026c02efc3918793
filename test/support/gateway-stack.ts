/** A stack before which real MCP servers stand, set up from a bridge.config.yaml as `bridge up --config` sets one up. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { loadGatewayConfig } from '../../src/cli/gateway/load.js';
import { overlayOf } from '../../src/cli/gateway/overlay.js';
import { ResourceServerClient } from '../../src/clients/rs-client.js';
import { ClientAssertion } from '../../src/clients/client-assertion.js';
import { ServiceClient } from '../../src/clients/service-client.js';
import type { Surface } from '../../src/contract/wire.js';
import { DOMAINS, domainDir, readJson } from '../../src/cli/data-directory.js';
import { TestStack } from './test-stack.js';

/** `upstreams` of a bridge.config.yaml. */
export type Upstreams = Record<string, Record<string, unknown>>;

/** A directory for one test file: what the servers work on, and the configuration. */
export class Workshop {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'conf-gateway-')));

  path(...parts: string[]): string {
    return join(this.directory, ...parts);
  }

  folder(name: string): string {
    mkdirSync(this.path(name), { recursive: true });
    return this.path(name);
  }

  /** Writes a bridge.config.yaml and returns its path. */
  config(upstreams: Upstreams, more: Record<string, unknown> = {}): string {
    const file = this.path('bridge.config.yaml');
    const caller = { subject: 'alice@example.com' };
    writeFileSync(file, stringify({ version: 1, caller, upstreams, ...more }));
    return file;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The four processes on the configuration file. Resolves once every upstream is ready. */
export async function startGateway(file: string): Promise<TestStack> {
  const overlay = overlayOf(loadGatewayConfig(file), file);
  const stack = await TestStack.start((configs) => {
    const changes = overlay(configs);
    for (const domain of DOMAINS) Object.assign(configs[domain], changes[domain]);
  });
  try {
    await allReady(stack);
  } catch (error) {
    await stack.stop();
    throw error;
  }
  return stack;
}

/** Waits until the resource server has listed every upstream. */
export async function allReady(stack: TestStack, withinMs = 30_000): Promise<Surface> {
  return untilSurface(stack, ({ upstreams }) => upstreams.every(({ state }) => state === 'ready'), {
    withinMs,
  });
}

/** Follows the resource server's own events until what it offers is as wanted. */
export async function untilSurface(
  stack: TestStack,
  wanted: (surface: Surface) => boolean,
  { withinMs = 30_000 } = {},
): Promise<Surface> {
  const { client_id: clientId, private_jwk_file } = stack.configs.bridge.client;
  const { url, resource: audience } = stack.configs.bridge.rs;
  const privateJwk = readJson(join(domainDir(stack.data, 'bridge'), private_jwk_file)) as object;
  const clock = (): number => Date.now();
  const assertion = await ClientAssertion.create({ clientId, audience, privateJwk, clock });
  const service = new ServiceClient({ url, layer: 'rs', assertion });
  const rs = new ResourceServerClient(service);
  const over = new AbortController();
  const late = setTimeout(() => over.abort(), withinMs);
  const unreachable = { notify: () => undefined, ask: () => Promise.reject(new Error('nobody')) };
  let last: Surface | undefined;
  let found: Surface | undefined;
  const look = async (): Promise<void> => {
    last = await rs.surface();
    if (!wanted(last)) return;
    found = last;
    over.abort();
  };
  try {
    await rs
      .listen(undefined, unreachable, () => void look().catch(() => undefined), over.signal)
      .catch(() => undefined);
  } finally {
    clearTimeout(late);
    await service.close();
  }
  if (found !== undefined) return found;
  throw new Error(
    `not so within ${withinMs} ms: ${JSON.stringify(last)}\n${stack.said.join('\n')}`,
  );
}

const require = createRequire(import.meta.url);

/** `command` and `args` of one of the reference servers. */
export function referenceServer(
  name: 'filesystem' | 'everything' | 'memory',
  ...args: string[]
): { command: string; args: string[] } {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return {
    command: process.execPath,
    args: [join(dirname(manifest), 'dist', 'index.js'), ...args],
  };
}

/** Our own small server, whose tools do what its directory says (odd-server.mjs). */
export function oddServer(directory: string): { command: string; args: string[] } {
  const script = fileURLToPath(new URL('odd-server.mjs', import.meta.url));
  return { command: process.execPath, args: [script, directory] };
}

/** Ids of the processes the resource server runs for an upstream, told by a word of their command line. */
export function upstreamPids(stack: TestStack, word: string): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === stack.pid('rs') && args?.includes(word) === true ? [Number(pid)] : [];
  });
}
