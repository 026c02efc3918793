/** One MCP connection to one upstream, of either protocol era. What comes back is what the upstream sent. */
import type {
  Client,
  ClientCapabilities,
  PriorDiscovery,
  SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { isInputRequiredResult, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import { AskRefused, checkAsk } from './ask-check.js';
import { cleanObject, isCleanJson } from './clean-json.js';
import type { AskRound, ConnectionPeer } from './connection-peer.js';
import { isAskMethod } from './connection-peer.js';
import { failureOf, UpstreamFailure } from './upstream-failure.js';

/** The SDK's schemas would strip and judge results; this takes them as they are. */
const AS_IT_IS = {
  '~standard': {
    version: 1 as const,
    vendor: 'as-it-is',
    validate: (value: unknown) => ({ value }),
  },
};
/** Rounds of `input_required` in one request. */
const MAX_ROUNDS = 20;
/** Characters of an upstream's own key for what it asks; a longer one is not passed on. */
const MAX_KEY = 1024;
const SHORT_MS = 10_000;

export interface UpstreamRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Milliseconds without a sign of life. */
  readonly timeoutMs: number;
  /** Milliseconds at most, whatever its progress. */
  readonly maxMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the params of progress notifications, without their token. Absent: none are asked for. */
  readonly onProgress?: ((params: JsonObject) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Takes a result that cannot be passed on as a whole; its parts are checked one by one. */
  readonly partwise?: boolean;
}

export class Connection {
  /** Resolves with the reason once it has ended, from whichever side. */
  readonly closed: Promise<string>;
  #closed = false;
  #logLevel: string | undefined;
  #watched: { readonly close: () => Promise<void> } | undefined;

  /** @param client connected; see open-connection.ts */
  constructor(
    private readonly client: Client,
    private readonly own: ClientCapabilities,
    private readonly peer: () => ConnectionPeer,
    ended: Promise<string>,
  ) {
    this.closed = ended.then((reason) => {
      this.#closed = true;
      return reason;
    });
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get isModern(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }

  get capabilities(): JsonObject {
    return cleanObject(this.client.getServerCapabilities()) ?? {};
  }

  get instructions(): string | undefined {
    const instructions = this.client.getInstructions();
    return isCleanJson(instructions) ? instructions : undefined;
  }

  get server(): JsonObject | undefined {
    return cleanObject(this.client.getServerVersion());
  }

  /** How to connect to the same server again without asking which era it is of. */
  get verdict(): PriorDiscovery {
    const discover = this.client.getDiscoverResult();
    return discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover };
  }

  /**
   * Sends one request and resolves with its result as the upstream sent it; what the upstream wants to know on the way
   * (`input_required`) is asked and answered.
   * @throws UpstreamFailure
   */
  async request(request: UpstreamRequest): Promise<JsonObject> {
    const limit = AbortSignal.timeout(request.maxMs);
    const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit;
    let params = request.params;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result = await this.#send({ ...request, params, signal });
      if (!isInputRequiredResult(result)) return result;
      params = { ...request.params, ...(await this.#inputFor(result, signal)) };
    }
    throw new UpstreamFailure('answered', `it still asked for input after ${MAX_ROUNDS} rounds`);
  }

  /** Lets the upstream log from `level` on. Failures do not matter: it is a wish. */
  async setLogLevel(level: string | undefined): Promise<void> {
    if (level === undefined || level === this.#logLevel) return;
    this.#logLevel = level;
    if (this.isModern || !Object.hasOwn(this.capabilities, 'logging')) return;
    await this.#short('logging/setLevel', { level }).catch(() => undefined);
  }

  /** On the 2026 era: lets the upstream tell of these changes, and of no others it was asked for before. */
  async watch(filter: SubscriptionFilter): Promise<void> {
    const before = this.#watched;
    try {
      const subscription = await this.client.listen(filter, { timeout: SHORT_MS });
      this.#watched = subscription;
      void subscription.closed.then((cause) => {
        if (cause !== 'local') void this.close();
      });
    } catch (error) {
      throw failureOf(error);
    }
    await before?.close();
  }

  /** Asks for a sign of life. @throws UpstreamFailure */
  async check(): Promise<void> {
    await this.#short(this.isModern ? 'server/discover' : 'ping', {});
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** From what the transport reports. */
  heard(method: string, params: unknown): void {
    const clean = cleanObject(params ?? {});
    if (clean !== undefined) this.peer().notify(method, clean);
  }

  /** A request of the upstream. @throws AskRefused with the JSON-RPC error to answer with */
  async asked(
    method: string,
    params: unknown,
    signal: AbortSignal,
    round?: AskRound,
  ): Promise<JsonObject> {
    if (!isAskMethod(method)) throw new AskRefused({ code: -32_601, message: 'Method not found' });
    const answer = await this.peer().ask(method, checkAsk(method, params, this.own), signal, round);
    if ('error' in answer) throw new AskRefused(answer.error);
    return answer.result;
  }

  #short(method: string, params: JsonObject): Promise<JsonObject> {
    return this.request({ method, params, timeoutMs: SHORT_MS, maxMs: SHORT_MS });
  }

  async #send(request: UpstreamRequest): Promise<JsonObject> {
    const { method, timeoutMs, signal, onProgress, headers } = request;
    let result: unknown;
    try {
      const params = this.#withLogLevel(request.params);
      result = await this.client.request({ method, params }, AS_IT_IS, {
        timeout: timeoutMs,
        resetTimeoutOnProgress: true,
        allowInputRequired: true,
        ...(signal ? { signal } : {}),
        ...(headers ? { headers } : {}),
        ...(onProgress
          ? { onprogress: (progress) => onProgress(cleanObject(progress) ?? {}) }
          : {}),
      });
    } catch (error) {
      throw failureOf(error);
    }
    if (request.partwise === true && isJsonObject(result)) return result;
    const clean = cleanObject(result);
    if (clean === undefined)
      throw new UpstreamFailure('answered', 'its answer cannot be passed on');
    return clean;
  }

  /** On the 2026 era the level travels with each request. */
  #withLogLevel(params: JsonObject): JsonObject {
    if (!this.isModern || this.#logLevel === undefined) return params;
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
    return { ...params, _meta: { ...meta, [LOG_LEVEL_META_KEY]: this.#logLevel } };
  }

  async #inputFor(result: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { inputRequests, requestState } = result;
    const asked = Object.entries(isJsonObject(inputRequests) ? inputRequests : {});
    const answers = asked.map(async ([key, ask]): Promise<[string, JsonObject]> => {
      const { method, params } = isJsonObject(ask) ? ask : {};
      const round = key.length > MAX_KEY ? undefined : { key, size: asked.length };
      return [
        key,
        await this.asked(typeof method === 'string' ? method : '', params, signal, round),
      ];
    });
    try {
      return {
        ...(asked.length > 0
          ? { inputResponses: Object.fromEntries(await Promise.all(answers)) }
          : {}),
        ...(requestState === undefined ? {} : { requestState }),
      };
    } catch (error) {
      if (!(error instanceof AskRefused)) throw error;
      throw new UpstreamFailure('answered', `it asked for what it does not get: ${error.message}`);
    }
  }
}
