/** The four domains as four child processes: started together, watched, stopped together. None is ever restarted silently. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { BoundedLog } from './bounded-log.js';
import type { Domain } from './data-directory.js';
import { DOMAINS, domainDir } from './data-directory.js';
import { packageRoot } from './package-root.js';

/** Milliseconds a domain may take to listen, and to drain. */
const READY_WITHIN = 20_000;
const DRAIN_WITHIN = 10_000;

interface Running {
  readonly domain: Domain;
  readonly child: ChildProcess;
  readonly log: BoundedLog;
  readonly exited: Promise<void>;
}

/** The program of a domain: `node <main> serve --data DIR`, and its operator commands. */
export function mainOf(domain: Domain): string {
  const folder = domain === 'bridge' ? 'src' : domain;
  return join(packageRoot(), 'dist', folder, 'main.js');
}

export class Processes {
  private stopping = false;
  private constructor(
    private readonly running: readonly Running[],
    private readonly onDeath: (line: string) => void,
  ) {}

  /**
   * Resolves when all of them listen. If one does not, the others are stopped and the error carries its own last words.
   * @param onDeath called once with one plain line when a domain ends that was not asked to.
   */
  static async start(
    data: string,
    onDeath: (line: string) => void,
    domains: readonly Domain[] = DOMAINS,
  ): Promise<Processes> {
    const running = domains.map((domain) => launch(data, domain));
    const processes = new Processes(running, onDeath);
    try {
      await Promise.all(running.map(ready));
    } catch (error) {
      await processes.stop();
      throw error;
    }
    for (const one of running) void one.exited.then(() => processes.report(one));
    return processes;
  }

  pidOf(domain: Domain): number {
    const pid = this.running.find((one) => one.domain === domain)?.child.pid;
    if (pid === undefined) throw new Error(`${domain} has no process`);
    return pid;
  }

  /** SIGTERM to the bridge first, so that calls under way can finish, then to the rest; resolves when all have ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running.filter(({ domain }) => domain === 'bridge').map(end));
    await Promise.all(this.running.filter(({ domain }) => domain !== 'bridge').map(end));
  }

  private report({ domain, child, log }: Running): void {
    if (this.stopping) return;
    this.stopping = true;
    const how = child.signalCode ?? `exit code ${child.exitCode ?? 'unknown'}`;
    this.onDeath(`${domain} ended by itself (${how}); its log is ${log.path}`);
  }
}

function launch(data: string, domain: Domain): Running {
  const endWithParent = pathToFileURL(
    join(packageRoot(), 'dist', 'src', 'cli', 'end-with-parent.js'),
  );
  const dir = domainDir(data, domain);
  // Its own process group: Ctrl-C reaches only the CLI, which then stops the four in order.
  const child = spawn(
    process.execPath,
    ['--import', endWithParent.href, mainOf(domain), 'serve', '--data', dir],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true },
  );
  const log = new BoundedLog(join(dir, 'log'), domain);
  if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => log.write(line));
  // 'close' comes after the last line of stderr, 'exit' may come before.
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  return { domain, child, log, exited };
}

async function ready({ domain, child, log, exited }: Running): Promise<void> {
  const { stdout } = child;
  if (!stdout) throw new Error(`${domain} has no output`);
  const line = new Promise<string>((resolve) => {
    createInterface({ input: stdout }).on('line', resolve);
  });
  const timer = new AbortController();
  const late = new Promise<'late'>((resolve) => {
    const timeout = setTimeout(() => resolve('late'), READY_WITHIN);
    timer.signal.addEventListener('abort', () => clearTimeout(timeout));
  });
  const first = await Promise.race([line, exited.then(() => 'ended' as const), late]);
  timer.abort();
  if (first.startsWith(`{"ready":"${domain}"`)) return;
  const words = log.last.join('\n  ') || 'it said nothing';
  const why = first === 'late' ? `was not ready within ${READY_WITHIN / 1000} s` : 'did not start';
  throw new Error(`${domain} ${why}:\n  ${words}\n  (log: ${log.path})`);
}

async function end({ child, exited }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return exited;
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), DRAIN_WITHIN);
  await exited;
  clearTimeout(hard);
}
