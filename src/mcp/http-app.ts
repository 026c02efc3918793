import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
} from '@modelcontextprotocol/server';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { Refusal, problemOf } from '../contract/errors.js';
import { parseStrictJson } from '../contract/strict-json.js';
import { MAX_BODY_BYTES } from '../contract/wire.js';
import type { TokenStore } from '../store/tokens.js';
import { authenticate, callerOf } from './callers.js';
import { peerOfEnvelope } from './connection.js';
import { LegacyHttp, type LegacyPorts } from './legacy-http.js';
import { malformedRetry } from './raw-message.js';
import { mcpServer } from './server.js';

export interface HttpAppOptions {
  readonly ports: LegacyPorts;
  readonly tokens: TokenStore;
  /** Host names under which the endpoint may be reached; loopback names when undefined. */
  readonly allowedHosts: readonly string[] | undefined;
}

/** The MCP endpoint: `/mcp` for both protocol eras, bearer tokens only, bodies read by the strict parser. */
export function httpApp({ ports, tokens, allowedHosts }: HttpAppOptions): FastifyInstance {
  const legacy = new LegacyHttp(ports);
  const modern = createMcpHandler(
    () =>
      mcpServer(
        {
          era: 'modern',
          caller: (ctx) => callerOf(ctx.http?.authInfo),
          peer: peerOfEnvelope,
          announceWhenDecided: () => undefined,
        },
        ports,
      ),
    { legacy: 'reject' },
  );
  const serve = toNodeHandler({
    fetch: async (request, options) =>
      (await isLegacyRequest(request, options?.parsedBody))
        ? legacy.fetch(request, options)
        : modern.fetch(request, options),
  });

  const hosts = [...(allowedHosts ?? localhostAllowedHostnames())];
  const hostAllowed = hostHeaderValidation(hosts);
  const originAllowed = originValidation(hosts);

  const app = Fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (_request, bytes: Buffer, done) => {
      try {
        done(null, parseStrictJson(decodeUtf8(bytes), 'bridge'));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.setErrorHandler((error, _request, reply) => refuse(reply, refusalOf(error)));
  app.setNotFoundHandler((_request, reply) => refuse(reply, new Refusal('NotFound', 'bridge')));

  app.get('/healthz', () => ({ ok: true }));
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    onRequest: async (request, reply) => {
      if (!hostAllowed(request.raw, reply.raw) || !originAllowed(request.raw, reply.raw))
        return reply.hijack();
      Object.assign(request.raw, { auth: authenticate(request.headers.authorization, tokens) });
    },
    handler: async (request, reply) => {
      const malformed = malformedRetry(request.body);
      if (malformed !== undefined) return reply.status(400).send(malformed);
      reply.hijack();
      await serve(request.raw as Parameters<typeof serve>[0], reply.raw, request.body);
    },
  });
  app.addHook('onClose', async () => {
    await Promise.all([legacy.close(), modern.close()]);
  });
  return app;
}

/** Before there is a JSON-RPC request to answer, a refusal is an HTTP problem document (RFC 9457). */
function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const problem = problemOf(refusal);
  if (refusal.code === 'Unauthenticated')
    void reply.header('www-authenticate', 'Bearer error="invalid_token"');
  if (refusal.code !== 'MalformedJson') {
    return reply
      .status(problem.status)
      .type('application/problem+json')
      .send(JSON.stringify(problem));
  }
  const error = { code: -32_700, message: problem.title, data: problem };
  return reply
    .status(400)
    .type('application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('PayloadTooLarge', 'bridge');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Refusal('MalformedRequest', 'bridge', { path: 'content-type' });
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return new Refusal('Internal', 'bridge');
}

/** @throws Refusal `MalformedJson`: a lenient decoder would put U+FFFD where an octet was wrong, and show and sign that. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('MalformedJson', 'bridge', { path: '' });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
