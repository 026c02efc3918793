/** The four real processes with `preload.mjs` in each: they can be killed at a chosen step, and their clocks moved. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import {
  type Configs,
  DOMAINS,
  type Domain,
  domainDir,
  readConfigs,
  readJson,
} from '../../src/cli/data-directory.js';
import { packageRoot } from '../../src/cli/package-root.js';
import { freePorts } from '../../src/cli/ports.js';
import { mainOf } from '../../src/cli/processes.js';
import { provision } from '../../src/cli/provision.js';

/** Members of a configuration are the test's own business, so they are untyped. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Configure = (configs: Record<Domain, any>) => void;

interface Running {
  readonly child: ChildProcess;
  /** The exit code, null after a signal. */
  readonly ended: Promise<number | null>;
  /** True once somebody has asked it to end. */
  doomed: boolean;
}

/** What nobody may ever say on stderr, whatever is killed. */
const NEVER_SAID = /database is locked|SQLITE_BUSY|unhandled|uncaught/i;

/** What a domain's program imports, read by a spare before it is needed. */
const MODULES: Readonly<Record<Domain, readonly string[]>> = {
  vault: ['vault/serve.js'],
  rs: ['rs/serve.js'],
  'consent-ui': ['consent-ui/server/serve.js'],
  bridge: ['src/bridge.js', 'src/mcp/http-app.js'],
};

export class Domains {
  private readonly running = new Map<Domain, Running>();
  private readonly spares = new Map<Domain, ChildProcess>();
  private readonly orders = new Map<number, () => void>();
  private lastOrder = 0;
  private readonly shifts = new Map<Domain, number>();
  /** Every line on stderr, with its domain in front. */
  readonly said: string[] = [];
  /** Domains that ended though nobody asked them to. */
  readonly deaths: string[] = [];

  private constructor(
    readonly data: string,
    readonly configs: Configs,
  ) {}

  /** A provisioned data directory; nothing runs yet. @param data existing or not; by default a temporary one */
  static async provision(configure?: Configure, data?: string): Promise<Domains> {
    const directory = data ?? mkdtempSync(join(tmpdir(), 'consent-bridge-crash-'));
    provision(directory, await freePorts());
    if (configure !== undefined) rewrite(directory, configure);
    return new Domains(directory, readConfigs(directory));
  }

  async start(): Promise<this> {
    await Promise.all(DOMAINS.map((domain) => this.up(domain)));
    return this;
  }

  dir(domain: Domain): string {
    return domainDir(this.data, domain);
  }

  get mcpUrl(): string {
    return `http://127.0.0.1:${this.configs.bridge.listen.port}/mcp`;
  }

  get origin(): string {
    return this.configs['consent-ui'].origin;
  }

  pid(domain: Domain): number {
    return this.running.get(domain)?.child.pid ?? 0;
  }

  /** Keeps a second process of each domain ready to take over. */
  keepSpares(): void {
    for (const domain of DOMAINS) this.spares.set(domain, this.spawn(domain));
  }

  /**
   * Starts one domain.
   * @param crashAt number of the failpoint at which it dies while starting
   * @returns false if it died before it was ready, as ordered
   */
  async up(domain: Domain, crashAt?: number): Promise<boolean> {
    const spare = this.spares.get(domain);
    const child = spare ?? this.spawn(domain);
    const { stdout } = child;
    if (stdout === null) throw new Error('a child without output');
    const ended = new Promise<number | null>((resolve) =>
      child.once('close', (code) => resolve(code)),
    );
    const running: Running = { child, ended, doomed: crashAt !== undefined };
    this.running.set(domain, running);
    void ended.then((code) => {
      if (!running.doomed) this.deaths.push(`${domain} ended by itself (${code ?? 'signal'})`);
    });
    const ready = new Promise<boolean>((resolve) =>
      createInterface({ input: stdout }).once('line', () => resolve(true)),
    );
    const shiftMs = this.shifts.get(domain) ?? 0;
    this.order(domain, {
      start: true,
      shiftMs,
      ...(crashAt === undefined ? {} : { crashAt }),
    }).catch(() => undefined);
    const up = await Promise.race([ready, ended.then(() => false)]);
    if (spare !== undefined) this.spares.set(domain, this.spawn(domain));
    if (!up && crashAt === undefined)
      throw new Error(`${domain} did not start:\n${this.said.slice(-5).join('\n')}`);
    return up;
  }

  /** From now on the process dies at its `crashAt`th failpoint. */
  arm(domain: Domain, crashAt: number): void {
    const running = this.running.get(domain);
    if (running === undefined) throw new Error(`${domain} does not run`);
    running.doomed = true;
    this.order(domain, { crashAt }).catch(() => undefined);
  }

  /**
   * Does something when the process reaches a failpoint whose name matches (see `preload.mjs`), once: sends it a signal,
   * or fills the file system of `fill`. @returns whether it has been there
   */
  async ambush(
    domain: Domain,
    at: RegExp,
    what: { readonly signal?: NodeJS.Signals; readonly fill?: string } = {},
  ): Promise<() => boolean> {
    const running = this.running.get(domain);
    if (running !== undefined && what.signal !== undefined) running.doomed = true;
    const before = this.said.length;
    await this.order(domain, { ambush: { at: at.source, ...what } });
    return () => this.said.slice(before).some((line) => line.startsWith(`${domain}: reached: `));
  }

  /** Sets how far the clocks are from the real time, also after a restart. Resolves when they are moved. */
  async shiftClocks(shiftMs: number, domains: readonly Domain[] = DOMAINS): Promise<void> {
    for (const domain of domains) this.shifts.set(domain, shiftMs);
    await Promise.all(domains.map((domain) => this.order(domain, { shiftMs })));
  }

  async restart(domain: Domain): Promise<void> {
    await this.end(domain);
    await this.up(domain);
  }

  /** SIGKILL, resolves when it is gone. */
  async kill(domain: Domain): Promise<void> {
    await this.end(domain, 'SIGKILL');
  }

  /** By default SIGTERM. Resolves to the exit code when it is gone. */
  async end(domain: Domain, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const running = this.running.get(domain);
    if (running === undefined) return null;
    running.doomed = true;
    running.child.kill(signal);
    return running.ended;
  }

  /** Resolves to the exit code when the process that runs now has ended. */
  async gone(domain: Domain): Promise<number | null> {
    return (await this.running.get(domain)?.ended) ?? null;
  }

  /** What no process may say, said. */
  get scandals(): readonly string[] {
    return [...this.deaths, ...this.said.filter((line) => NEVER_SAID.test(line))];
  }

  async stop(): Promise<void> {
    for (const spare of this.spares.values()) spare.kill('SIGKILL');
    await Promise.all(DOMAINS.map((domain) => this.end(domain)));
    rmSync(this.data, { recursive: true, force: true });
  }

  private spawn(domain: Domain): ChildProcess {
    const root = packageRoot();
    const preload = pathToFileURL(join(root, 'test/crash/preload.mjs')).href;
    const ahead = MODULES[domain].map((module) => pathToFileURL(join(root, 'dist', module)).href);
    const args = ['--import', preload, mainOf(domain), 'serve', '--data', this.dir(domain)];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, MODULES_AHEAD: ahead.join(' ') },
    });
    if (child.stderr === null) throw new Error('a child without output');
    createInterface({ input: child.stderr }).on('line', (line) =>
      this.said.push(`${domain}: ${line}`),
    );
    child.on('message', ({ done }: { done: number }) => this.orders.get(done)?.());
    return child;
  }

  private order(domain: Domain, what: object): Promise<void> {
    this.lastOrder += 1;
    const id = this.lastOrder;
    return new Promise((resolve, reject) => {
      this.orders.set(id, () => {
        this.orders.delete(id);
        resolve();
      });
      this.running.get(domain)?.child.send({ id, ...what }, (error) => {
        if (error !== null) reject(error);
      });
    });
  }
}

function rewrite(data: string, configure: Configure): void {
  const fileOf = (domain: Domain): string => join(domainDir(data, domain), 'config.json');
  const configs = Object.fromEntries(
    DOMAINS.map((domain) => [domain, readJson(fileOf(domain))]),
  ) as Record<Domain, object>;
  configure(configs);
  for (const domain of DOMAINS) {
    writeFileSync(fileOf(domain), JSON.stringify(configs[domain], null, 2), { mode: 0o600 });
  }
}
