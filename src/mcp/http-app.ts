import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  isLegacyRequest,
  localhostAllowedHostnames,
} from '@modelcontextprotocol/server';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { Refusal, problemOf } from '../contract/errors.js';
import { isJsonObject } from '../contract/json.js';
import { parseStrictJson } from '../contract/strict-json.js';
import { MAX_BODY_BYTES } from '../contract/wire.js';
import type { ProtectedResource } from '../oauth/protected-resource.js';
import { type Callers, authInfoOf, authenticate, callerOf, presentsToken } from './callers.js';
import { Deliveries } from './deliveries.js';
import { LegacyHttp, type LegacyPorts } from './legacy-http.js';
import { ModernHttp } from './modern-http.js';
import { malformedRetry } from './raw-message.js';
import { scopesToAskFor } from './step-up.js';

export interface HttpAppOptions {
  readonly ports: LegacyPorts;
  readonly callers: Callers;
  /** What this endpoint says of itself to OAuth clients; absent where no authorization server is configured. */
  readonly resource?: ProtectedResource | undefined;
  /** Host names under which the endpoint may be reached; loopback names when undefined. */
  readonly allowedHosts: readonly string[] | undefined;
  /** Further routes under the same host rule: the A2A side, where there is one. */
  readonly further?: ((app: FastifyInstance) => void) | undefined;
}

/** The MCP endpoint: `/mcp` for both protocol eras, bearer tokens only, bodies read by the strict parser. */
export function httpApp(options: HttpAppOptions): FastifyInstance {
  const { ports, callers, resource, allowedHosts, further } = options;
  const legacy = new LegacyHttp(ports, callers);
  const deliveries = new Deliveries();
  const modern = new ModernHttp(ports, callers);
  const serve = toNodeHandler({
    fetch: async (request, options) =>
      (await isLegacyRequest(request, options?.parsedBody))
        ? legacy.fetch(request, options)
        : modern.fetch(request, options),
  });

  const hosts = [...(allowedHosts ?? localhostAllowedHostnames())];
  const hostAllowed = hostHeaderValidation(hosts);
  const originAllowed = originValidation(hosts);

  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    // What the router itself refuses (an address that cannot be decoded) never reaches the error handler.
    frameworkErrors: (_error, _request, reply) => {
      void refuse(reply, new Refusal('NotFound', 'bridge'));
    },
  });
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
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'Unauthenticated') {
      const presented = presentsToken(request.headers.authorization);
      const challenge = resource?.unauthenticated(presented) ?? 'Bearer error="invalid_token"';
      void reply.header('www-authenticate', challenge);
    }
    return refuse(reply, refusal);
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, new Refusal('NotFound', 'bridge')));

  app.get('/healthz', () => ({ ok: true }));
  for (const path of resource?.metadataPaths ?? []) app.get(path, () => resource?.metadata);
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    onRequest: async (request, reply) => {
      if (!hostAllowed(request.raw, reply.raw) || !originAllowed(request.raw, reply.raw))
        return reply.hijack();
      const auth = authInfoOf(await authenticate(request.headers.authorization, callers));
      Object.assign(request.raw, { auth: deliveries.withResponse(auth, reply.raw) });
    },
    handler: async (request, reply) => {
      const malformed = malformedRetry(request.body);
      if (malformed !== undefined) return reply.status(400).send(malformed);
      const { auth } = request.raw as { auth?: AuthInfo };
      const missingScopes = await scopesToAskFor(auth, request.body, ports.dispatcher);
      if (resource !== undefined && missingScopes.length > 0) {
        const challenge = resource.insufficientScope(callerOf(auth).scopes, missingScopes);
        void reply.header('www-authenticate', challenge);
        throw new Refusal('Unauthorized', 'dispatcher', { missingScopes });
      }
      reply.hijack();
      if (isToolCall(request.body)) deliveries.follow(reply.raw);
      await serve(request.raw as Parameters<typeof serve>[0], reply.raw, request.body);
    },
  });
  if (further !== undefined) {
    void app.register((scope, _options, done) => {
      scope.addHook('onRequest', async (request, reply) => {
        if (!hostAllowed(request.raw, reply.raw) || !originAllowed(request.raw, reply.raw))
          reply.hijack();
      });
      further(scope);
      done();
    });
  }
  // Nothing new is taken from here on. Calls get their answer first; streams have none to wait for.
  app.addHook('preClose', async () => {
    await deliveries.drained();
    await Promise.all([legacy.close(), modern.close()]);
  });
  return app;
}

function isToolCall(body: unknown): boolean {
  return isJsonObject(body) && body['method'] === 'tools/call';
}

/** Before there is a JSON-RPC request to answer, a refusal is an HTTP problem document (RFC 9457). */
function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const problem = problemOf(refusal);
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
