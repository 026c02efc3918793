/** A chain of agents on one machine: each a bridge process of its own, with its own key, tokens and data directory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import {
  type ChainAgent,
  type ChainOptions,
  SCOPES,
  TOKEN_SECONDS,
  configure,
  layOut,
  must,
  nameOf,
} from './a2a-layout.js';
import { type Configs, domainDir, readConfigs } from './data-directory.js';
import { issueToken } from './operator.js';
import { packageRoot } from './package-root.js';
import { freePorts } from './ports.js';
import { mainOf } from './processes.js';
import { provision } from './provision.js';

const OTHERS = ['vault', 'rs', 'consent-ui'] as const;

export class AgentChain {
  private readonly children = new Map<string, ChildProcess>();

  private constructor(
    readonly data: string,
    readonly configs: Configs,
    readonly agents: readonly ChainAgent[],
    private readonly onDeath: (line: string) => void,
  ) {}

  /** Everything on free ports and a fresh directory, which is deleted when it stops. */
  static async start(
    options: ChainOptions,
    onDeath: (line: string) => void = () => undefined,
  ): Promise<AgentChain> {
    const data = mkdtempSync(join(tmpdir(), 'consent-bridge-agents-'));
    provision(data, await freePorts());
    const agents = await layOut(data, options);
    await configure(data, agents, options);
    const chain = new AgentChain(data, readConfigs(data), agents, onDeath);
    try {
      await Promise.all([
        ...OTHERS.map((domain) => chain.run(domain, mainOf(domain), domainDir(data, domain))),
        ...agents.map((agent) => chain.up(agent)),
      ]);
      return chain;
    } catch (error) {
      await chain.stop();
      throw error;
    }
  }

  /** The agent a person's MCP client talks to. */
  get first(): ChainAgent {
    return must(this.agents[0]);
  }

  /** The agent whose tools run. */
  get leaf(): ChainAgent {
    return must(this.agents.at(-1));
  }

  /** How the first agent names a tool of the leaf. */
  tool(name: string): string {
    return [...this.agents.slice(1).map(({ id }) => nameOf(id)), name].join('.');
  }

  /** A token for an MCP client at the first agent. */
  async token(subject: string, clientId: string): Promise<string> {
    const request = { subject, clientId, scopes: SCOPES, ttlSeconds: TOKEN_SECONDS };
    return (await issueToken(this.first.data, request)).token;
  }

  /** Starts an agent. Resolves when it listens. */
  up({ id, data }: ChainAgent): Promise<void> {
    return this.run(id, mainOf('bridge'), domainDir(data, 'bridge'));
  }

  /** Ends an agent, by default without warning. */
  down({ id }: ChainAgent, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    return this.end(id, signal);
  }

  async stop(): Promise<void> {
    await Promise.all(this.agents.map(({ id }) => this.end(id, 'SIGTERM')));
    await Promise.all(OTHERS.map((domain) => this.end(domain, 'SIGTERM')));
    rmSync(this.data, { recursive: true, force: true });
  }

  private async run(name: string, main: string, dir: string): Promise<void> {
    const endWithParent = join(packageRoot(), 'dist', 'src', 'cli', 'end-with-parent.js');
    const args = ['--import', pathToFileURL(endWithParent).href, main, 'serve', '--data', dir];
    // Its own process group: Ctrl-C reaches only the CLI, which then stops all in order.
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    this.children.set(name, child);
    const said: string[] = [];
    if (child.stderr !== null)
      createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
    await new Promise<void>((resolve, reject) => {
      if (child.stdout !== null)
        createInterface({ input: child.stdout }).once('line', () => resolve());
      child.once('exit', (code) => {
        reject(new Error(`${name} ended with ${code ?? 'a signal'}: ${said.slice(-5).join('; ')}`));
        if (this.children.get(name) === child) this.onDeath(`${name} ended by itself`);
      });
    });
  }

  private async end(name: string, signal: NodeJS.Signals): Promise<void> {
    const child = this.children.get(name);
    this.children.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }
}
