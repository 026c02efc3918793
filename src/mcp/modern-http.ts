import {
  type McpHandlerRequestOptions,
  type ServerContext,
  createMcpHandler,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { JsonObject } from '../contract/json.js';
import { jsonObject } from '../contract/payload.js';
import type { Caller, Lane } from '../contract/wire.js';
import type { Exchange } from '../dispatcher/exchange.js';
import { type Callers, callerNow, callerOf } from './callers.js';
import { type Connection, logLevelOfEnvelope, peerOfEnvelope } from './connection.js';
import type { LegacyPorts } from './legacy-http.js';
import { headerMismatch, mismatchError } from './param-headers.js';
import { NO_SURFACE, mcpServer } from './server.js';
import { ownerOf } from './upstream-requests.js';

const listenRequest = z.looseObject({
  method: z.literal('subscriptions/listen'),
  params: z.looseObject({
    notifications: z.looseObject({
      resourceSubscriptions: z.array(z.string()).max(1000).optional(),
    }),
  }),
});
const toolCall = z.looseObject({
  id: z.unknown(),
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string(), arguments: jsonObject.optional() }),
});
const updated = z.looseObject({ uri: z.string() });

/** Streamable HTTP for 2026-07-28 clients: every request stands alone and says itself what its client can do. */
export class ModernHttp {
  private readonly handler;
  private readonly unsubscribe;
  private streams = 0;

  constructor(
    private readonly ports: LegacyPorts,
    private readonly callers: Callers,
  ) {
    this.handler = createMcpHandler(() => mcpServer(this.connection(), ports), {
      legacy: 'reject',
    });
    const { notify } = this.handler;
    this.unsubscribe = ports.changes.subscribe((changed) => {
      if (changed === 'tools') notify.toolsChanged();
      else if (changed === 'resources') notify.resourcesChanged();
      else notify.promptsChanged();
    });
  }

  async fetch(request: Request, options: McpHandlerRequestOptions = {}): Promise<Response> {
    const listening = listenRequest.safeParse(options.parsedBody);
    if (listening.success) return this.listen(listening.data, request, options);
    const mismatch = await this.mismatch(request, options.parsedBody);
    if (mismatch !== undefined) return Response.json(mismatch, { status: 400 });
    return this.handler.fetch(request, options);
  }

  close(): Promise<void> {
    this.unsubscribe();
    return this.handler.close();
  }

  private connection(): Connection {
    const { lanes } = this.ports;
    return {
      era: 'modern',
      caller: (ctx) => callerNow(ctx.http?.authInfo, this.callers),
      peer: peerOfEnvelope,
      lane: (ctx) => lanes.of(sessionOf(ctx), peerOfEnvelope(ctx), logLevelOfEnvelope(ctx)),
      push: undefined,
      claim: () => undefined,
      listen: () => undefined,
      announceWhenDecided: () => undefined,
    };
  }

  /** The error a tool call earns whose `Mcp-Param-…` headers differ from its arguments. */
  private async mismatch(request: Request, body: unknown): Promise<JsonObject | undefined> {
    const call = toolCall.safeParse(body);
    if (!call.success) return undefined;
    const { id, params } = call.data;
    const tools = await this.ports.catalogue.list().catch(() => []);
    const tool = tools.find(({ definition }) => definition.name === params.name);
    const found = headerMismatch(tool?.definition.input_schema, params.arguments, request.headers);
    return found && mismatchError(id, found);
  }

  /** A `subscriptions/listen` stream: of the resources it names, it hears of those this caller may read. */
  private async listen(
    body: z.infer<typeof listenRequest>,
    request: Request,
    options: McpHandlerRequestOptions,
  ): Promise<Response> {
    const { notifications } = body.params;
    const uris = notifications.resourceSubscriptions;
    if (uris === undefined) return this.handler.fetch(request, options);
    const resourceSubscriptions = await this.follow(
      uris,
      callerOf(options.authInfo),
      request.signal,
    );
    const params = { ...body.params, notifications: { ...notifications, resourceSubscriptions } };
    return this.handler.fetch(request, { ...options, parsedBody: { ...body, params } });
  }

  /** Subscribes upstream for as long as the stream is open. @returns what was granted */
  private async follow(
    uris: readonly string[],
    caller: Caller,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const { rs, catalogue, listeners } = this.ports;
    this.streams += 1;
    const lane: Lane = {
      id: `listen ${this.streams} ${caller.subject} ${caller.client_id}`.slice(0, 256),
      capabilities: {},
    };
    const surface = await catalogue.surface().catch(() => NO_SURFACE);
    const asked = uris.map(async (uri) => {
      const upstream = ownerOf(uri, surface);
      const request = { upstream, method: 'resources/subscribe', params: { uri } } as const;
      await rs.relay({ ...request, caller, lane });
      return uri;
    });
    const answers = await Promise.allSettled(asked);
    const granted = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (granted.length === 0) return [];
    const exchange: Exchange = {
      notify: (method, params) => {
        const about = updated.safeParse(params);
        if (method === 'notifications/resources/updated' && about.success)
          this.handler.notify.resourceUpdated(about.data.uri);
      },
      ask: () => Promise.reject(new Error('a subscription answers nothing')),
    };
    listeners.start(caller, lane, exchange);
    signal.addEventListener('abort', () => listeners.stop(lane.id));
    return granted;
  }
}

/** 2026-07-28 has no sessions: what tells clients of one caller apart is what they say of themselves. */
function sessionOf(ctx: ServerContext): string {
  const { subject, client_id } = callerOf(ctx.http?.authInfo);
  const { name, capabilities } = peerOfEnvelope(ctx);
  return JSON.stringify([subject, client_id, name ?? '', capabilities]);
}
