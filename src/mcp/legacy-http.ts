import {
  type JSONRPCMessage,
  type McpHandlerRequestOptions,
  Server,
  WebStandardStreamableHTTPServerTransport,
  isInitializeRequest,
  legacyStatelessFallback,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../contract/json.js';
import type { JsonObject } from '../contract/json.js';
import type { Caller, Lane } from '../contract/wire.js';
import type { ApprovalRequired } from '../dispatcher/outcome.js';
import type { Announcements } from './announcements.js';
import { type Callers, callerNow, callerOf } from './callers.js';
import type { Connection } from './connection.js';
import type { LaneListeners } from './lane-listeners.js';
import type { LegacySession, LegacySessions } from './legacy-session.js';
import { UNKNOWN_PEER, peerOf } from './peer.js';
import { pushOn, pushTo } from './push.js';
import type { RequestIds } from './request-ids.js';
import { type ServerPorts, mcpServer } from './server.js';
import { SessionTraffic } from './session-traffic.js';
import type { SurfaceWatch } from './surface-watch.js';

export interface LegacyPorts extends ServerPorts {
  readonly sessions: LegacySessions;
  readonly requestIds: RequestIds;
  readonly announcements: Announcements;
  readonly listeners: LaneListeners;
  readonly changes: SurfaceWatch;
}

const SESSION_HEADER = 'mcp-session-id';
const MAX_STREAMS = 1000;
const MAX_ENDED = 10_000;

/** The standalone stream of a session. */
interface Stream {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  readonly caller: Caller;
}

/** Streamable HTTP for 2025-era clients: stateless per request, with the session sealed into its own id. */
export class LegacyHttp {
  private readonly streams = new Map<string, Stream>();
  private readonly traffic = new SessionTraffic();
  /** Seals of sessions that their clients ended, for as long as this process remembers them. */
  private readonly ended = new Set<string>();
  private readonly unsubscribe;

  constructor(
    private readonly ports: LegacyPorts,
    private readonly callers: Callers,
  ) {
    this.unsubscribe = ports.changes.subscribe((changed) => {
      for (const stream of this.streams.values())
        say(stream, `notifications/${changed}/list_changed`, {});
    });
  }

  async fetch(request: Request, options: McpHandlerRequestOptions = {}): Promise<Response> {
    const caller = callerOf(options.authInfo);
    const { parsedBody } = options;
    if (isInitializeRequest(parsedBody)) {
      const { capabilities, clientInfo, protocolVersion } = parsedBody.params;
      const session = this.ports.sessions.open(
        peerOf(capabilities, clientInfo, protocolVersion),
        caller,
      );
      const response = await this.serve(request, options, session);
      const headers = new Headers(response.headers);
      headers.set(SESSION_HEADER, session.id);
      return new Response(response.body, { status: response.status, headers });
    }
    const id = request.headers.get(SESSION_HEADER);
    const session = id === null ? undefined : this.ports.sessions.find(id, caller);
    if (id !== null && (session === undefined || this.ended.has(sealOf(session))))
      return rpcError(404, -32_001, 'Session not found');
    if (session !== undefined && request.method === 'GET')
      return this.openStream(request, session, caller);
    if (session !== undefined && request.method === 'DELETE') return this.end(session);
    if (session !== undefined && this.traffic.take(session.id, parsedBody))
      return new Response(null, { status: 202 });
    if (session !== undefined && this.ports.requestIds.conflicts(session.id, parsedBody)) {
      return rpcError(400, -32_600, 'This request id was used before for another request');
    }
    return this.serve(request, options, session);
  }

  async close(): Promise<void> {
    this.unsubscribe();
    await Promise.all([...this.streams.values()].map(({ transport }) => transport.close()));
  }

  private serve(
    request: Request,
    options: McpHandlerRequestOptions,
    session: LegacySession | undefined,
  ): Promise<Response> {
    const { parsedBody } = options;
    const requestId = isJsonObject(parsedBody) ? parsedBody['id'] : undefined;
    const factory = async (): Promise<Server> => {
      const server = await mcpServer(this.connection(session), this.ports);
      return session === undefined ? server : this.followed(server, session, requestId);
    };
    return legacyStatelessFallback(factory)(request, options);
  }

  /** A server whose requests to the client find their answers, and whose request can be cancelled. */
  private followed(server: Server, session: LegacySession, requestId: unknown): Server {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      const end = this.traffic.follow(session.id, transport, requestId);
      server.onclose = end;
      await connect(transport);
    };
    return server;
  }

  private connection(session: LegacySession | undefined): Connection {
    const { lanes } = this.ports;
    const peer = session?.peer ?? UNKNOWN_PEER;
    const lane = (): Lane | undefined =>
      session === undefined ? undefined : lanes.of(session.id, peer);
    return {
      era: 'legacy',
      caller: (ctx) => callerNow(ctx.http?.authInfo, this.callers),
      peer: () => peer,
      lane,
      push: pushOn,
      claim: (own) => {
        if (session !== undefined) lanes.claim(session.id, own);
      },
      listen: () => {
        const stream = session === undefined ? undefined : this.streams.get(session.id);
        if (stream !== undefined) this.listen(stream, lane());
      },
      announceWhenDecided: (required) => this.announce(session, required),
    };
  }

  /** The standalone stream of a session: what is not the answer to a request arrives here. */
  private async openStream(
    request: Request,
    session: LegacySession,
    caller: Caller,
  ): Promise<Response> {
    if (this.streams.size >= MAX_STREAMS) return rpcError(503, -32_000, 'Too many open streams');
    await this.streams.get(session.id)?.transport.close();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
    });
    const server = new Server(
      { name: 'consent-bridge', version: this.ports.version },
      { capabilities: {} },
    );
    const end = this.traffic.follow(session.id, transport, undefined);
    await server.connect(transport);
    const stream = { transport, server, caller };
    this.streams.set(session.id, stream);
    const lane = this.ports.lanes.of(session.id, session.peer);
    this.listen(stream, lane);
    request.signal.addEventListener('abort', () => {
      end();
      if (this.streams.get(session.id) === stream) {
        this.streams.delete(session.id);
        if (lane !== undefined) this.ports.listeners.stop(lane.id);
      }
      transport.close().catch(() => undefined);
    });
    return transport.handleRequest(request);
  }

  private listen(stream: Stream, lane: Lane | undefined): void {
    if (lane === undefined) return;
    this.ports.listeners.start(stream.caller, lane, {
      notify: (method, params) => say(stream, method, params),
      ask: (ask) => pushTo(ask, stream.server),
    });
  }

  private async end(session: LegacySession): Promise<Response> {
    await this.streams.get(session.id)?.transport.close();
    this.streams.delete(session.id);
    const lane = this.ports.lanes.of(session.id, session.peer);
    if (lane !== undefined) this.ports.listeners.stop(lane.id);
    this.ports.lanes.release(session.id);
    this.ended.add(sealOf(session));
    if (this.ended.size > MAX_ENDED) this.ended.delete(this.ended.values().next().value ?? '');
    return new Response(null, { status: 204 });
  }

  private announce(session: LegacySession | undefined, required: ApprovalRequired): void {
    if (session === undefined || !this.streams.has(session.id)) return;
    const { consentId: elicitationId } = required;
    this.ports.announcements.watch(`${session.id} ${elicitationId}`, required, () => {
      const stream = this.streams.get(session.id);
      if (stream !== undefined)
        say(stream, 'notifications/elicitation/complete', { elicitationId });
    });
  }
}

/** The last part of a session's id: short, and no other session's. */
function sealOf({ id }: LegacySession): string {
  return id.slice(id.lastIndexOf('.') + 1);
}

function say({ transport }: Stream, method: string, params: JsonObject): void {
  const message = { jsonrpc: '2.0', method, params } as JSONRPCMessage;
  transport.send(message).catch(() => undefined);
}

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
