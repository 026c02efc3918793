import {
  A2A_VERSION_HEADER,
  AgentCard,
  Extensions,
  HTTP_EXTENSION_HEADER,
  SSE_HEADERS,
  formatSSEErrorEvent,
  formatSSEEvent,
} from '@a2a-js/sdk';
import { LEGACY_HTTP_EXTENSION_HEADER, isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  type A2ARequestHandler,
  JsonRpcTransportHandler,
  ServerCallContext,
  validateVersion,
} from '@a2a-js/sdk/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type JsonObject, isJsonObject } from '../../contract/json.js';
import { type Callers, authenticate } from '../../mcp/callers.js';
import { CallerUser } from './caller-user.js';
import { legacyCard } from './legacy-card.js';

export interface AgentRoutesOptions {
  readonly handler: A2ARequestHandler;
  readonly callers: Callers;
  /** Also speak A2A 0.3. */
  readonly legacy: boolean;
}

/** Milliseconds between comments on a quiet stream, so that nothing in between takes it for dead. */
const KEEP_ALIVE_MS = 15_000;

/** JSON-RPC 2.0 section 5.1. The SDK's handler takes such a body for one with wrong parameters. */
const INVALID_REQUEST = { code: -32_600, message: 'Not a JSON-RPC 2.0 request' };

/**
 * A2A over JSON-RPC and SSE: `/a2a`, and the card at its well-known place. Bearer tokens as on `/mcp`, bodies from the
 * strict parser; the SDK's transport handlers do the rest, without its Express layer.
 */
export function agentRoutes(app: FastifyInstance, options: AgentRoutesOptions): void {
  const v1 = new JsonRpcTransportHandler(options.handler);
  const v03 = options.legacy ? new LegacyJsonRpcTransportHandler(options.handler) : undefined;

  app.get('/.well-known/agent-card.json', async (request, reply) => {
    const card = await options.handler.getAgentCard();
    const wanted = request.headers[A2A_VERSION_HEADER.toLowerCase()];
    const old = v03 !== undefined && (wanted === undefined || wanted === '0.3');
    void reply.type('application/json').header('vary', A2A_VERSION_HEADER);
    return old ? legacyCard(card) : AgentCard.toJSON(card);
  });

  app.post('/a2a', async (request, reply) => {
    const body = isJsonObject(request.body) ? request.body : {};
    const { jsonrpc, method } = body;
    const id = idOf(body);
    if (jsonrpc !== '2.0' || typeof method !== 'string' || id === undefined)
      return reply.send({ jsonrpc: '2.0', id: id ?? null, error: INVALID_REQUEST });
    // What is of neither version is answered as of the older one, as the SDK's own handler does.
    const old = v03 !== undefined && !isV1JsonRpcMethod(method);
    const mapError = old
      ? (error: unknown): object => LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
      : (error: unknown): object => JsonRpcTransportHandler.mapToJSONRPCError(error);
    const failed = (error: unknown): object => ({
      jsonrpc: '2.0',
      id,
      error: mapError(error),
    });
    const context = await contextOf(request, old, options.callers);
    try {
      validateVersion(context.requestedVersion, await options.handler.getAgentCard(), 'JSONRPC');
      const answer = await (old ? v03 : v1).handle({ ...body }, context);
      const activated = context.activatedExtensions;
      if (activated !== undefined)
        void reply.header(
          old ? LEGACY_HTTP_EXTENSION_HEADER : HTTP_EXTENSION_HEADER,
          [...activated].join(', '),
        );
      if (!(Symbol.asyncIterator in answer)) return await reply.send(answer);
      return await stream(reply, answer, failed);
    } catch (error) {
      return reply.send(failed(error));
    }
  });
}

/** The id to answer under; undefined when it is of no kind JSON-RPC knows. */
function idOf({ id = null }: JsonObject): string | number | null | undefined {
  return id === null || typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

async function contextOf(
  request: FastifyRequest,
  old: boolean,
  callers: Callers,
): Promise<ServerCallContext> {
  const authenticated = await authenticate(request.headers.authorization, callers);
  const header = (name: string): string | undefined => {
    const value = request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(',') : value;
  };
  const extensions = old
    ? (header(LEGACY_HTTP_EXTENSION_HEADER) ?? header(HTTP_EXTENSION_HEADER))
    : header(HTTP_EXTENSION_HEADER);
  return new ServerCallContext({
    requestedExtensions: Extensions.parseServiceParameter(extensions),
    user: new CallerUser(authenticated),
    ...(old ? { requestedVersion: '0.3' } : versionOf(header(A2A_VERSION_HEADER))),
  });
}

function versionOf(requested: string | undefined): { requestedVersion?: string } {
  return requested === undefined ? {} : { requestedVersion: requested };
}

/** Sends events as they come. An error before the first is an ordinary answer, not a stream with one error in it. */
async function stream(
  reply: FastifyReply,
  events: AsyncGenerator<object, void, undefined>,
  failed: (error: unknown) => object,
): Promise<FastifyReply> {
  const first = await events.next();
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...SSE_HEADERS });
  const keepAlive = setInterval(() => raw.write(': waiting\n\n'), KEEP_ALIVE_MS);
  raw.once('close', () => {
    clearInterval(keepAlive);
    void events.return().catch(() => undefined);
  });
  try {
    if (first.done !== true) raw.write(formatSSEEvent(first.value));
    for await (const event of events) raw.write(formatSSEEvent(event));
  } catch (error) {
    raw.write(formatSSEErrorEvent(failed(error)));
  } finally {
    raw.end();
  }
  return reply;
}
