/**
 * What one upstream offers, kept current over a connection of this server's own that no client uses. It is opened again
 * whenever it ends; meanwhile what was listed last stays.
 */
import type { PriorDiscovery } from '@modelcontextprotocol/client';
import { isSpecType } from '@modelcontextprotocol/client';
import { displayText } from '../../src/contract/display.js';
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { Pins } from '../store/pins.js';
import { isCleanJson } from './clean-json.js';
import type { Connection } from './connection.js';
import { NOBODY } from './connection-peer.js';
import { cutText } from './cut-text.js';
import type { ListMethod } from './list-all.js';
import { listAll } from './list-all.js';
import type { Host } from './open-connection.js';
import { openConnection } from './open-connection.js';
import type { LeftOut, ListedTool } from './tool-intake.js';
import { takeTool } from './tool-intake.js';
import type { UpstreamConfig } from './upstream-config.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Between two listings, however often an upstream says that something changed. */
const CALM_MS = 250;
const MAX_DETAIL = 300;
/** Every client gets them at its beginning. */
const MAX_INSTRUCTIONS = 8000;

const LISTS = {
  resources: { method: 'resources/list', member: 'resources', isItem: isSpecType.Resource },
  templates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    isItem: isSpecType.ResourceTemplate,
  },
  prompts: { method: 'prompts/list', member: 'prompts', isItem: isSpecType.Prompt },
} as const;
const TOOLS: ListMethod = { method: 'tools/list', member: 'tools' };

export interface Offer {
  /** By the upstream's own names. */
  readonly tools: ReadonlyMap<string, ListedTool>;
  readonly resources: readonly JsonObject[];
  readonly templates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  readonly server: JsonObject | undefined;
}

export interface CatalogueParts {
  readonly upstream: UpstreamConfig;
  readonly pins: Pins;
  readonly host: Host;
  readonly onChange: () => void;
  readonly reportError: (error: unknown) => void;
}

export class Catalogue {
  state: 'starting' | 'ready' | 'down' = 'starting';
  detail: string | undefined;
  /** What was listed last; undefined as long as nothing has been. */
  offer: Offer | undefined;
  /** The era of the upstream, once known. */
  verdict: PriorDiscovery | undefined;
  #settled: Promise<void>;
  #settle: () => void = () => undefined;
  readonly #leftOut = new Set<string>();
  readonly #recorded = new Set<string>();
  /** By their text as it was listed: what has not changed is not judged again. */
  #taken = new Map<string, ListedTool>();
  readonly #stop = new AbortController();
  #connection: Connection | undefined;
  #running: Promise<void> | undefined;
  #stale = false;
  /** Ends the pause before the next attempt. */
  #retry: () => void = () => undefined;
  /** Tells that lists changed. */
  #wake: () => void = () => undefined;

  constructor(private readonly parts: CatalogueParts) {
    this.#settled = new Promise((resolve) => (this.#settle = resolve));
  }

  /**
   * Resolves once the upstream is ready, or an attempt to reach it has failed that began no earlier than this call.
   */
  async attempted(): Promise<void> {
    if (this.state === 'ready') return;
    this.#retry();
    await this.#settled;
  }

  start(): void {
    this.#running = this.#keepConnected();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#connection?.close();
    await this.#running;
  }

  async #keepConnected(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!this.#stop.signal.aborted) {
      const reason = await this.#session(() => (pauseMs = FIRST_PAUSE_MS));
      this.#become('down', reason);
      const sooner = new AbortController();
      this.#retry = () => sooner.abort();
      this.#settled = new Promise((resolve) => (this.#settle = resolve));
      // However much it is asked for: no more than two attempts a second.
      await pause(FIRST_PAUSE_MS, this.#stop.signal);
      await pause(pauseMs - FIRST_PAUSE_MS, AbortSignal.any([this.#stop.signal, sooner.signal]));
      this.#retry = () => undefined;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /** One connection from its beginning to its end. @returns why it ended */
  async #session(onReady: () => void): Promise<string> {
    let connection: Connection | undefined;
    try {
      const { upstream, host } = this.parts;
      const capabilities = Object.fromEntries(upstream.listWith.map((name) => [name, {}]));
      const peer = { ...NOBODY, notify: (method: string) => this.#heard(method) };
      const side = {
        info: { name: 'consent-bridge', version: '0' },
        capabilities,
        peer: () => peer,
      };
      connection = await openConnection(upstream, side, host, {
        verdict: this.verdict,
        stop: this.#stop.signal,
      });
      this.#connection = connection;
      if (this.#stop.signal.aborted) return 'stopped';
      this.verdict = connection.verdict;
      await this.#watchLists(connection);
      await this.#list(connection);
      onReady();
      this.#become('ready', this.#leftOutDetail());
      return await this.#followChanges(connection);
    } catch (error) {
      this.verdict = undefined;
      return error instanceof Error ? error.message : 'it cannot be listed';
    } finally {
      await connection?.close().catch(this.parts.reportError);
    }
  }

  async #watchLists(connection: Connection): Promise<void> {
    if (!connection.isModern) return;
    const tells = (name: string) => {
      const capability = connection.capabilities[name];
      return isJsonObject(capability) && capability['listChanged'] === true;
    };
    const filter = {
      ...(tells('tools') ? { toolsListChanged: true } : {}),
      ...(tells('prompts') ? { promptsListChanged: true } : {}),
      ...(tells('resources') ? { resourcesListChanged: true } : {}),
    };
    if (Object.keys(filter).length > 0) await connection.watch(filter);
  }

  #heard(method: string): void {
    if (!method.endsWith('/list_changed')) return;
    this.#stale = true;
    this.#wake();
  }

  async #followChanges(connection: Connection): Promise<string> {
    for (;;) {
      const changed = new Promise<undefined>((resolve) => (this.#wake = () => resolve(undefined)));
      const reason = await Promise.race([connection.closed, this.#stale ? undefined : changed]);
      if (reason !== undefined) return reason;
      await pause(CALM_MS, this.#stop.signal);
      await this.#list(connection);
      this.#become('ready', this.#leftOutDetail());
    }
  }

  /** Lists everything the upstream says it has, pins what is new, and only then shows it. */
  async #list(connection: Connection): Promise<void> {
    this.#stale = false;
    const { upstream, pins } = this.parts;
    const { capabilities } = connection;
    const has = (name: string) => Object.hasOwn(capabilities, name);
    const list = (what: ListMethod) => listAll(connection, what, upstream.startTimeoutMs);
    const items = async (name: keyof typeof LISTS) => {
      const found = await list(LISTS[name]);
      return found.filter((item) => isCleanJson(item) && LISTS[name].isItem(item));
    };
    const tools = await this.#take(has('tools') ? await list(TOOLS) : []);
    const resources = has('resources') ? await items('resources') : [];
    // Templates came later than resources: not every server knows the method.
    const templates = has('resources') ? await items('templates').catch(() => []) : [];
    const prompts = has('prompts') ? await items('prompts') : [];
    await pins.see(upstream.name, [...tools.values()]);
    const { server } = connection;
    const instructions =
      connection.instructions && cutText(connection.instructions, MAX_INSTRUCTIONS);
    this.offer = { tools, resources, templates, prompts, capabilities, instructions, server };
  }

  async #take(raw: readonly JsonObject[]): Promise<ReadonlyMap<string, ListedTool>> {
    const before = this.#taken;
    this.#taken = new Map();
    this.#leftOut.clear();
    const tools = new Map<string, ListedTool>();
    for (const one of raw) {
      const text = JSON.stringify(one);
      const tool = before.get(text) ?? takeTool(one);
      if ('reason' in tool) await this.#leaveOut(tool);
      else if (tools.has(tool.tool))
        await this.#leaveOut({ name: tool.tool, reason: 'its name is there twice' });
      else {
        tools.set(tool.tool, tool);
        this.#taken.set(text, tool);
      }
      // Compiling schemas takes its time, and others are waiting.
      await new Promise(setImmediate);
    }
    return tools;
  }

  async #leaveOut({ name, reason }: LeftOut): Promise<void> {
    const key = JSON.stringify([name, reason]);
    this.#leftOut.add(key);
    if (this.#recorded.has(key) || this.#recorded.size >= 1000) return;
    this.#recorded.add(key);
    await this.parts.pins.leaveOut(this.parts.upstream.name, name, reason);
  }

  #leftOutDetail(): string | undefined {
    const count = this.#leftOut.size;
    return count === 0 ? undefined : `${count} tools are left out; the record says why`;
  }

  #become(state: 'ready' | 'down', detail: string | undefined): void {
    const shown = detail && cutText(displayText(detail), MAX_DETAIL);
    const same = state === 'down' && this.state === 'down' && this.detail === shown;
    this.state = state;
    this.detail = shown;
    this.#settle();
    if (same) return;
    this.#say();
    this.parts.onChange();
  }

  /** One line for the operator each time it comes or goes. */
  #say(): void {
    const { upstream, host } = this.parts;
    if (this.#stop.signal.aborted) return;
    const what = this.state === 'ready' ? `ready, ${this.offer?.tools.size ?? 0} tools` : 'down';
    const why = this.detail === undefined ? '' : ` (${this.detail})`;
    host.print(`upstream ${upstream.name}: ${what}${why}`);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
