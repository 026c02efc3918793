/** The four real processes on a data directory of their own, each of which a test can stop, kill and start again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import {
  type Configs,
  DOMAINS,
  type Domain,
  domainDir,
  readConfigs,
  readJson,
} from '../../src/cli/data-directory.js';
import { CompromisedBridge } from '../../src/cli/compromised-bridge.js';
import { runDomain } from './run-domain.js';
import { inviteApprover, issueToken } from '../../src/cli/operator.js';
import { freePorts } from '../../src/cli/ports.js';
import { mainOf } from '../../src/cli/processes.js';
import { provision } from '../../src/cli/provision.js';
import { SoftwareApprover } from '../../src/cli/software-approver.js';
import type { RecordEntry } from '../../src/contract/wire.js';

/** Changes one domain's config.json before the processes start. Members are the test's own business, so they are untyped. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Configure = (configs: Record<Domain, any>) => void;

export interface Person {
  readonly approver: SoftwareApprover;
  readonly subject: string;
}

export class TestStack {
  private readonly children = new Map<Domain, ChildProcess>();
  private readonly stderr: string[] = [];

  private constructor(
    readonly data: string,
    readonly configs: Configs,
  ) {}

  static async start(configure?: Configure): Promise<TestStack> {
    const data = mkdtempSync(join(tmpdir(), 'consent-bridge-test-'));
    provision(data, await freePorts());
    if (configure !== undefined) rewrite(data, configure);
    const stack = new TestStack(data, readConfigs(data));
    try {
      await Promise.all(DOMAINS.map((domain) => stack.up(domain)));
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  /** A stack that somebody else started and will stop. */
  static attach(data: string): TestStack {
    return new TestStack(data, readConfigs(data));
  }

  /** Starts one domain and resolves when it listens. */
  async up(domain: Domain): Promise<void> {
    const child = spawn(
      process.execPath,
      [mainOf(domain), 'serve', '--data', domainDir(this.data, domain)],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.children.set(domain, child);
    createInterface({ input: child.stderr }).on('line', (line) =>
      this.stderr.push(`${domain}: ${line}`),
    );
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', () => resolve());
      child.once('exit', (code) =>
        reject(new Error(`${domain} ended with ${code}:\n${this.stderr.join('\n')}`)),
      );
    });
  }

  /** Ends one domain, by default without warning, and resolves when it is gone. */
  async down(domain: Domain, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    const child = this.children.get(domain);
    this.children.delete(domain);
    if (child === undefined) return null;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return gone;
  }

  async restart(domain: Domain, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.down(domain, signal);
    await this.up(domain);
  }

  /** Rewrites a configuration and restarts what it belongs to. */
  async reconfigure(domain: Domain, configure: Configure): Promise<void> {
    await this.down(domain, 'SIGTERM');
    rewrite(this.data, configure);
    await this.up(domain);
  }

  pid(domain: Domain): number {
    return this.children.get(domain)?.pid ?? 0;
  }

  /** Everything the processes said on stderr. */
  get said(): readonly string[] {
    return this.stderr;
  }

  get mcpUrl(): string {
    return `http://127.0.0.1:${this.configs.bridge.listen.port}/mcp`;
  }

  get origin(): string {
    return this.configs['consent-ui'].origin;
  }

  async token(
    subject: string,
    options: { clientId?: string; scopes?: string[]; ttlSeconds?: number } = {},
  ): Promise<string> {
    const {
      clientId = 'agent',
      scopes = ['tasks.read', 'tasks.write'],
      ttlSeconds = 3600,
    } = options;
    return (await issueToken(this.data, { subject, clientId, scopes, ttlSeconds })).token;
  }

  async invite(subject: string): Promise<string> {
    return (await inviteApprover(this.data, subject)).link;
  }

  /** An approver with a software passkey, enrolled through the page's own requests. */
  async person(subject: string): Promise<SoftwareApprover> {
    const approver = new SoftwareApprover(this.origin);
    await approver.enrol(await this.invite(subject));
    return approver;
  }

  /** Whoever holds the bridge's data directory. */
  compromisedBridge(): CompromisedBridge {
    return new CompromisedBridge(this);
  }

  /** An operator command of one domain; resolves to its stdout. @throws with its stderr */
  operator(domain: Domain, ...args: string[]): Promise<string> {
    return runDomain(domain, domainDir(this.data, domain), args);
  }

  async record(domain: Domain): Promise<RecordEntry[]> {
    const text = await this.operator(domain, 'record', '--json');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as RecordEntry);
  }

  async events(domain: Domain, event: string): Promise<RecordEntry[]> {
    return (await this.record(domain)).filter((entry) => entry.event === event);
  }

  /** Ids of the tasks that exist, read from the tool's own database: effects, not answers. */
  taskIds(): string[] {
    const db = new Database(join(domainDir(this.data, 'rs'), 'tasks.db'), { readonly: true });
    try {
      return db
        .prepare<[], { id: string }>(`SELECT 't-' || number AS id FROM tasks ORDER BY number`)
        .all()
        .map(({ id }) => id);
    } finally {
      db.close();
    }
  }

  /** The sentence of a consent, from the bridge's own store. */
  messageOf(consent: string): string {
    const db = new Database(join(domainDir(this.data, 'bridge'), 'bridge.db'), { readonly: true });
    try {
      const row = db
        .prepare<[string], { proposal: string }>('SELECT proposal FROM consent WHERE id = ?')
        .get(consent);
      const proposal = JSON.parse(row?.proposal ?? '{}') as {
        payload?: { binding_message: string };
      };
      return proposal.payload?.binding_message ?? '';
    } finally {
      db.close();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.children.keys()].map((domain) => this.down(domain, 'SIGTERM')));
    rmSync(this.data, { recursive: true, force: true });
  }
}

function rewrite(data: string, configure: Configure): void {
  const files = DOMAINS.map((domain) => ({
    domain,
    file: join(domainDir(data, domain), 'config.json'),
  }));
  const configs = Object.fromEntries(
    files.map(({ domain, file }) => [domain, readJson(file)]),
  ) as Record<Domain, object>;
  configure(configs);
  for (const { domain, file } of files) {
    const text = JSON.stringify(configs[domain], null, 2);
    if (text !== readFileSync(file, 'utf8')) writeFileSync(file, text, { mode: 0o600 });
  }
}
