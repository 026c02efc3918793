import {
  type McpHandlerRequestOptions,
  Server,
  WebStandardStreamableHTTPServerTransport,
  isInitializeRequest,
  legacyStatelessFallback,
} from '@modelcontextprotocol/server';
import type { ApprovalRequired } from '../dispatcher/outcome.js';
import type { Announcements } from './announcements.js';
import { callerOf } from './callers.js';
import type { LegacySession, LegacySessions } from './legacy-session.js';
import { peerOf } from './peer.js';
import type { RequestIds } from './request-ids.js';
import { type ServerPorts, mcpServer } from './server.js';

export interface LegacyPorts extends ServerPorts {
  readonly sessions: LegacySessions;
  readonly requestIds: RequestIds;
  readonly announcements: Announcements;
}

const SESSION_HEADER = 'mcp-session-id';
const MAX_STREAMS = 1000;

/** Streamable HTTP for 2025-era clients: stateless per request, with the session sealed into its own id. */
export class LegacyHttp {
  private readonly streams = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(private readonly ports: LegacyPorts) {}

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
    if (id !== null && session === undefined) return rpcError(404, -32_001, 'Session not found');
    if (session !== undefined && request.method === 'GET') return this.openStream(request, session);
    if (session !== undefined && request.method === 'DELETE') return this.end(session);
    if (session !== undefined && this.ports.requestIds.conflicts(session.id, parsedBody)) {
      return rpcError(400, -32_600, 'This request id was used before for another request');
    }
    return this.serve(request, options, session);
  }

  async close(): Promise<void> {
    await Promise.all([...this.streams.values()].map((stream) => stream.close()));
  }

  private serve(
    request: Request,
    options: McpHandlerRequestOptions,
    session: LegacySession | undefined,
  ): Promise<Response> {
    const factory = (): Server =>
      mcpServer(
        {
          era: 'legacy',
          caller: (ctx) => callerOf(ctx.http?.authInfo),
          peer: () => session?.peer ?? { elicitation: 'none', name: undefined },
          announceWhenDecided: (required) => this.announce(session, required),
        },
        this.ports,
      );
    return legacyStatelessFallback(factory)(request, options);
  }

  /** The standalone stream of a session, on which `notifications/elicitation/complete` arrives. */
  private async openStream(request: Request, session: LegacySession): Promise<Response> {
    if (this.streams.size >= MAX_STREAMS) return rpcError(503, -32_000, 'Too many open streams');
    await this.streams.get(session.id)?.close();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
    });
    const server = new Server(
      { name: 'consent-bridge', version: this.ports.version },
      { capabilities: {} },
    );
    await server.connect(transport);
    this.streams.set(session.id, transport);
    request.signal.addEventListener('abort', () => {
      if (this.streams.get(session.id) === transport) this.streams.delete(session.id);
      transport.close().catch(() => undefined);
    });
    return transport.handleRequest(request);
  }

  private async end(session: LegacySession): Promise<Response> {
    await this.streams.get(session.id)?.close();
    this.streams.delete(session.id);
    return new Response(null, { status: 204 });
  }

  private announce(session: LegacySession | undefined, required: ApprovalRequired): void {
    if (session === undefined || !this.streams.has(session.id)) return;
    const { consentId: elicitationId } = required;
    this.ports.announcements.watch(`${session.id} ${elicitationId}`, required, () => {
      const message = {
        jsonrpc: '2.0',
        method: 'notifications/elicitation/complete',
        params: { elicitationId },
      } as const;
      this.streams
        .get(session.id)
        ?.send(message)
        .catch(() => undefined);
    });
  }
}

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
