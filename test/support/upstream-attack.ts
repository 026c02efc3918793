/**
 * `upstreamAttack('…', { upstreams, commands }, async ({ rs, world }) => …)`: a real resource server process with MCP
 * servers behind it, in place of the one the attack stack runs. It has the same name, vault, services and approvers.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { domainDir, readJson } from '../../src/cli/data-directory.js';
import { call } from '../../src/cli/http.js';
import { mainOf } from '../../src/cli/processes.js';
import type { JsonObject } from '../../src/contract/json.js';
import { parseStrictJson } from '../../src/contract/strict-json.js';
import type { Lane, RecordEntry, RunEvent, Surface } from '../../src/contract/wire.js';
import { runEvent, surface } from '../../src/contract/wire.js';
import type { ApprovedCall, AttackWorld } from './attack-world.js';
import { runDomain } from './run-domain.js';
import { ServiceIdentity } from './service-identity.js';

const SERVERS = join(import.meta.dirname, 'upstream-servers');
export const OPEN = { scopes: [], mode: 'open' };
export const GATED = { scopes: [], mode: 'gated' };

/** test/support/upstream-servers/raw.mjs as a stdio upstream. */
export function raw(env: Readonly<Record<string, string>> = {}, more: object = {}): object {
  return { command: process.execPath, args: [join(SERVERS, 'raw.mjs')], env, ...more };
}

type Answer = (ask: Extract<RunEvent, { kind: 'ask' }>) => object;

export class UpstreamServer {
  private constructor(
    private readonly world: AttackWorld,
    readonly data: string,
    private readonly url: string,
    readonly stderr: readonly string[],
  ) {}

  /** A folder of the test's own, for what upstreams read and write. */
  static folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'rs-up-attack-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }

  /** Starts it; it ends with the test. Resolves when the upstreams in `ready` are. */
  static async start(
    world: AttackWorld,
    config: {
      readonly upstreams: object;
      readonly commands: object;
      readonly env?: NodeJS.ProcessEnv;
    },
    ...ready: readonly string[]
  ): Promise<UpstreamServer> {
    const own = domainDir(world.stack.data, 'rs');
    const data = UpstreamServer.folder();
    const { upstreams, commands, env = {} } = config;
    const base = readJson(join(own, 'config.json')) as JsonObject;
    const listen = { host: '127.0.0.1', port: 0 };
    writeFileSync(
      join(data, 'config.json'),
      JSON.stringify({ ...base, listen, upstreams, commands }),
      { mode: 0o600 },
    );
    copyFileSync(join(own, 'client.jwk'), join(data, 'client.jwk'));
    const child = spawn(process.execPath, [mainOf('rs'), 'serve', '--data', data], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const stderr: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line));
    const gone = new Promise((resolve) => child.once('exit', resolve));
    onTestFinished(async () => {
      child.kill();
      await gone;
    });
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      child.once('exit', (code) =>
        reject(new Error(`rs ended with ${code}: ${stderr.join('\n')}`)),
      );
    });
    const server = new UpstreamServer(
      world,
      data,
      (JSON.parse(line) as { url: string }).url,
      stderr,
    );
    for (const name of ready)
      await server.until((now) =>
        now.upstreams.some((one) => one.name === name && one.state === 'ready'),
      );
    return server;
  }

  async surface(): Promise<Surface> {
    return surface.parse((await call(`${this.url}/v1/surface`, { headers: this.headers() })).body);
  }

  /** Waits for the surface to become so. */
  async until(holds: (now: Surface) => boolean): Promise<Surface> {
    for (let tries = 0; tries < 600; tries++) {
      const now = await this.surface();
      if (holds(now)) return now;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`it did not become so: ${JSON.stringify((await this.surface()).upstreams)}`);
  }

  /** The person approves exactly this, and the vault mints. */
  async approved(command: string, args: JsonObject): Promise<ApprovedCall> {
    const { bridge, caller } = this.world;
    const signed = this.world.signDirectly(bridge.payload(caller, command, args));
    return { command, args, caller, signed, credential: await bridge.credential(signed) };
  }

  /** Sends a call and returns its lines; one that is refused before the first line has a `problem` alone. */
  async run(body: object, answer: Answer = () => ({ result: {} })): Promise<RunEvent[]> {
    const lines: RunEvent[] = [];
    const response = await this.post('/v1/execute', { caller: this.world.caller, ...body });
    if (response.status !== 200)
      return [{ kind: 'problem', problem: (await response.json()) as JsonObject }];
    for await (const event of eventsOf(response)) {
      lines.push(event);
      if (event.kind === 'ask') await this.post(`/v1/asks/${event.id}`, answer(event));
    }
    return lines;
  }

  /** The last line of {@link run}. */
  async last(body: object, answer?: Answer): Promise<RunEvent> {
    return (await this.run(body, answer)).at(-1)!;
  }

  post(path: string, body: object, service: 'bridge' | 'consent-ui' = 'bridge'): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      headers: {
        ...this.headers(service),
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
      },
      body: JSON.stringify(body),
    });
  }

  lane(capabilities: JsonObject = {}, id = 'lane'): Lane {
    return { id, capabilities };
  }

  operator(...args: readonly string[]): Promise<string> {
    return runDomain('rs', this.data, args);
  }

  async events(event: string): Promise<RecordEntry[]> {
    const lines = (await this.operator('record', '--json')).trim().split('\n');
    return lines
      .map((line) => JSON.parse(line) as RecordEntry)
      .filter((entry) => entry.event === event);
  }

  private headers(service: 'bridge' | 'consent-ui' = 'bridge') {
    return new ServiceIdentity(this.world.stack, service).bearer(
      this.world.stack.configs.rs.resource,
    );
  }
}

/** What a refused run says of itself. */
export function refusedWith(line: RunEvent | undefined): { code: unknown; layer: unknown } {
  if (line?.kind !== 'problem')
    throw new Error(`it was not refused: ${JSON.stringify(line ?? null).slice(0, 300)}`);
  return { code: line.problem['code'], layer: line.problem['layer'] };
}

/** The text of a tool's result. */
export function textOf(line: RunEvent): string {
  const result = line.kind === 'outcome' ? line.outcome.result : undefined;
  const [block] = (result?.['content'] ?? []) as { text?: string }[];
  return block?.text ?? JSON.stringify(line);
}

/** What the upstream noted in its file: calls, cancellations. */
export function notesIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

async function* eventsOf(response: Response): AsyncGenerator<RunEvent> {
  if (!response.body) return;
  for await (const line of createInterface({ input: Readable.fromWeb(response.body as never) })) {
    // Strictly, as the bridge reads it.
    if (line !== '') yield runEvent.parse(parseStrictJson(line, 'bridge'));
  }
}
