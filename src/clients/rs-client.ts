import { Refusal } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type {
  Caller,
  ExecuteRequest,
  ExecutionOutcome,
  ExecutionState,
  Lane,
  RelayRequest,
  RpcError,
  RunEvent,
  Surface,
} from '../contract/wire.js';
import { executionOutcome, executionState, runEvent, surface } from '../contract/wire.js';
import type { Exchange } from '../dispatcher/exchange.js';
import { UNREACHABLE } from '../dispatcher/exchange.js';
import { decode } from './decode.js';
import { refusalOfProblem } from './problem.js';
import type { ServiceClient } from './service-client.js';

/** How long the answer to a run may take to begin; blank lines keep it alive after that. The run itself goes on. */
const RUN_TIMEOUT_MS = 120_000;

/** The resource server as the dispatcher and the surfaces see it, in this process or another. */
export type ResourceServerPort = Pick<
  ResourceServerClient,
  'surface' | 'execute' | 'relay' | 'listen' | 'execution'
>;

/** A JSON-RPC error an upstream server answered a relayed request with. */
export class UpstreamError extends Error {
  constructor(readonly rpc: RpcError) {
    super(rpc.message);
  }
}

export class ResourceServerClient {
  constructor(private readonly service: ServiceClient) {}

  /** What the resource server can run and show. @throws Refusal `Unavailable`, `Unauthenticated` */
  async surface(): Promise<Surface> {
    const answer = await this.service.request({ method: 'GET', path: '/v1/surface' });
    return decode(surface, answer, 'rs');
  }

  /**
   * Runs one command. The credential passes through unread.
   * @param signal ends an open run; a gated one goes on and its outcome is kept
   * @throws Refusal of the resource server, or `Unavailable`
   */
  async execute(
    request: ExecuteRequest,
    exchange: Exchange = UNREACHABLE,
    signal?: AbortSignal,
  ): Promise<ExecutionOutcome> {
    if (exchange === UNREACHABLE) return this.executeUnheard(request, signal);
    for await (const event of this.events('/v1/execute', request, exchange, signal)) {
      if (event.kind === 'outcome') return event.outcome;
    }
    throw lost('the run was cut off');
  }

  /** The same where nobody would hear of anything but the outcome: one body instead of lines. */
  private async executeUnheard(
    json: ExecuteRequest,
    signal: AbortSignal | undefined,
  ): Promise<ExecutionOutcome> {
    const run = { method: 'POST', path: '/v1/execute', json, signal } as const;
    const answer = await this.service.request({ ...run, timeoutMs: RUN_TIMEOUT_MS });
    return decode(executionOutcome, answer, 'rs');
  }

  /** Passes a request on that runs nothing. @throws UpstreamError, Refusal */
  async relay(
    request: RelayRequest,
    exchange: Exchange = UNREACHABLE,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    for await (const event of this.events('/v1/relay', request, exchange, signal)) {
      if (event.kind === 'result') return event.result;
      if (event.kind === 'error') throw new UpstreamError(event.error);
    }
    throw lost('the answer was cut off');
  }

  /**
   * What upstreams say on a lane outside any run, until `signal`; without a lane, that the surface changed.
   * @param onSurface called with the new revision
   */
  async listen(
    about: { readonly caller: Caller; readonly lane: Lane } | undefined,
    exchange: Exchange,
    onSurface: (revision: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const event of this.events('/v1/events', about ?? {}, exchange, signal)) {
      if (event.kind === 'surface') onSurface(event.revision);
    }
  }

  /** What became of a credential. @throws Refusal `NotFound` if it was never presented, `Unavailable` */
  async execution(jti: string): Promise<ExecutionState> {
    const path = `/v1/executions/${encodeURIComponent(jti)}`;
    return decode(executionState, await this.service.request({ method: 'GET', path }), 'rs');
  }

  /** The events of one answer. Notifications and asks are handled here; the others are yielded. */
  private async *events(
    path: string,
    json: object,
    exchange: Exchange,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<RunEvent, void, undefined> {
    const request = { method: 'POST', path, json, signal, timeoutMs: RUN_TIMEOUT_MS } as const;
    for await (const line of this.service.lines(request)) {
      const event = decode(runEvent, line, 'rs');
      if (event.kind === 'problem')
        throw refusalOfProblem(event.problem, 'rs') ?? lost('a problem of an unknown kind');
      else if (event.kind === 'notification') exchange.notify(event.method, event.params);
      else if (event.kind === 'ask') this.answer(event, exchange);
      else yield event;
    }
  }

  /** Asks run beside the lines, since the answer to one may be what the next line waits for. */
  private answer(ask: Extract<RunEvent, { readonly kind: 'ask' }>, exchange: Exchange): void {
    const path = `/v1/asks/${encodeURIComponent(ask.id)}`;
    exchange
      .ask(ask)
      .catch((error: unknown) => ({
        error: { code: -32_603, message: error instanceof Error ? error.message : 'not answered' },
      }))
      .then((json) => this.service.request({ method: 'POST', path, json }))
      // The run is over, or nobody listens: then the answer has no use.
      .catch(() => undefined);
  }
}

function lost(detail: string): Refusal {
  return new Refusal('Unavailable', 'bridge', { detail: `rs: ${detail}` });
}
