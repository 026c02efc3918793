/** One lane's place at one upstream: a connection opened when it is needed and closed when it is not. */
import type { ClientCapabilities, PriorDiscovery } from '@modelcontextprotocol/client';
import { Refusal } from '../../src/contract/errors.js';
import type { JsonObject } from '../../src/contract/json.js';
import type { AskAnswer } from '../../src/contract/wire.js';
import type { Connection } from './connection.js';
import type { AskMethod, AskRound, ConnectionPeer } from './connection-peer.js';
import { NOBODY } from './connection-peer.js';
import type { ClientSide, Host } from './open-connection.js';
import { openConnection } from './open-connection.js';
import { RateLimit } from './rate-limit.js';
import type { UpstreamConfig } from './upstream-config.js';
import { UpstreamFailure } from './upstream-failure.js';

const NOTIFICATIONS_PER_SECOND = 100;
/** Milliseconds of silence after which a connection is asked for a sign of life before it is relied on. */
const FRESH_MS = 10_000;
/** Said of the run that goes on; everything else concerns the lane as a whole. */
const OF_A_RUN = ['notifications/message', 'notifications/elicitation/complete'];

export interface SeatParts {
  readonly upstream: UpstreamConfig;
  readonly info: ClientSide['info'];
  readonly capabilities: ClientCapabilities;
  readonly host: Host;
  /** The era of the upstream, if it is known. */
  readonly verdict: () => PriorDiscovery | undefined;
  /** Who listens to what belongs to no run. */
  readonly listeners: ReadonlySet<ConnectionPeer>;
  /** Called when nothing has used the seat for the upstream's `idleMs`. */
  readonly onIdle: () => void;
}

export class Seat implements ConnectionPeer {
  readonly #runs = new Set<ConnectionPeer>();
  /** Resources the lane watches on a server of the 2026 era, which takes the whole list each time. */
  readonly #watched = new Set<string>();
  readonly #rate: RateLimit;
  #connection: Promise<Connection> | undefined;
  readonly #stop = new AbortController();
  #connecting = 0;
  #usedAt = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly parts: SeatParts) {
    this.#rate = new RateLimit(NOTIFICATIONS_PER_SECOND, parts.host.clock);
    this.#waitForIdle();
  }

  get isBusy(): boolean {
    return this.#connecting > 0 || this.#runs.size > 0 || this.parts.listeners.size > 0;
  }

  /**
   * A connection that works, as far as one can know.
   * @throws Refusal Unavailable
   */
  async connect(logLevel: string | undefined): Promise<Connection> {
    this.#connecting++;
    try {
      const connection = (await this.#working()) ?? (await this.#open());
      await connection.setLogLevel(logLevel);
      this.#usedAt = this.parts.host.clock();
      return connection;
    } catch (error) {
      const { name } = this.parts.upstream;
      const detail = `upstream ${name}: ${error instanceof Error ? error.message : ''}`;
      throw error instanceof UpstreamFailure ? new Refusal('Unavailable', 'rs', { detail }) : error;
    } finally {
      this.#connecting--;
      this.#waitForIdle();
    }
  }

  /** Runs `act` as what this seat hears and is asked belongs to `run`. */
  async during<T>(run: ConnectionPeer, act: () => Promise<T>): Promise<T> {
    this.#runs.add(run);
    this.#waitForIdle();
    try {
      return await act();
    } finally {
      this.#runs.delete(run);
      this.#waitForIdle();
      this.#usedAt = this.parts.host.clock();
    }
  }

  /** @param uri to hear of, or to hear of no more. Servers of the 2025 era take each by itself. @throws UpstreamFailure */
  async watch(connection: Connection, uri: string, wanted: boolean): Promise<JsonObject> {
    const { callTimeoutMs: timeoutMs } = this.parts.upstream;
    if (!connection.isModern) {
      const method = wanted ? 'resources/subscribe' : 'resources/unsubscribe';
      return connection.request({ method, params: { uri }, timeoutMs, maxMs: timeoutMs });
    }
    if (wanted) this.#watched.add(uri);
    else this.#watched.delete(uri);
    await connection.watch({ resourceSubscriptions: [...this.#watched] });
    return {};
  }

  notify(method: string, params: JsonObject): void {
    if (!this.#rate.take()) return;
    const run = OF_A_RUN.includes(method) ? this.#latestRun : undefined;
    if (run !== undefined) run.notify(method, params);
    else for (const listener of this.parts.listeners) listener.notify(method, params);
  }

  ask(
    method: AskMethod,
    params: JsonObject,
    signal: AbortSignal,
    round?: AskRound,
  ): Promise<AskAnswer> {
    const [listener = NOBODY] = this.parts.listeners;
    return (this.#latestRun ?? listener).ask(method, params, signal, round);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#stop.abort();
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  /** All runs are the same client's, so with several at once the latest may well speak for another. */
  get #latestRun(): ConnectionPeer | undefined {
    return [...this.#runs].at(-1);
  }

  async #working(): Promise<Connection | undefined> {
    const connection = await this.#connection?.catch(() => undefined);
    if (connection === undefined || connection.isClosed) return undefined;
    if (this.#runs.size > 0 || this.parts.host.clock() - this.#usedAt < FRESH_MS) return connection;
    try {
      await connection.check();
      return connection;
    } catch {
      await connection.close();
      return undefined;
    }
  }

  #open(): Promise<Connection> {
    const { upstream, info, capabilities, host, verdict } = this.parts;
    const side = { info, capabilities, peer: () => this };
    const opening = openConnection(upstream, side, host, {
      verdict: verdict(),
      stop: this.#stop.signal,
    });
    this.#connection = opening;
    this.#watched.clear();
    const forget = () => {
      if (this.#connection === opening) this.#connection = undefined;
    };
    opening.then(({ closed }) => closed.then(forget), forget);
    return opening;
  }

  #waitForIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.isBusy) this.#waitForIdle();
      else this.parts.onIdle();
    }, this.parts.upstream.idleMs).unref();
  }
}
