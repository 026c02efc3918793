/** The HTTP surface: authenticate the service, then what run-routes.ts says. Tests and main mount the same object. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type { RefusalCode } from '../src/contract/errors.js';
import { Refusal, problemOf } from '../src/contract/errors.js';
import type { ExecuteRequest } from '../src/contract/wire.js';
import { MAX_BODY_BYTES } from '../src/contract/wire.js';
import type { Asks } from './asks.js';
import type { ClientAuthentication } from './client-authentication.js';
import { endConnectionsOnClose } from './end-connections.js';
import { acceptStrictJson } from './read-body.js';
import type { ResourceServer } from './resource-server.js';
import { addRunRoutes } from './run-routes.js';
import type { SurfaceFeed } from './surface-feed.js';
import type { Lanes } from './upstream/lanes.js';
import type { Offers } from './upstream/offers.js';

interface AppParts {
  readonly rs: ResourceServer;
  readonly clients: ClientAuthentication;
  readonly surface: SurfaceFeed;
  readonly offers: Offers;
  readonly lanes: Lanes;
  readonly asks: Asks;
  /** One entry of this domain's record, durable when it resolves. */
  readonly recordRefusal: (
    refusal: Refusal,
    call: ExecuteRequest,
    service: string,
  ) => Promise<void>;
  /** For what is nobody's refusal: goes to stderr. */
  readonly reportError: (error: unknown) => void;
}

export function buildApp(parts: AppParts): FastifyInstance {
  const { rs, clients, surface, offers, lanes, asks } = parts;
  const app = Fastify({
    logger: false,
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, _request, reply) => void sendProblem(reply, asRefusal(error)),
  });
  endConnectionsOnClose(app);
  acceptStrictJson(app, MAX_BODY_BYTES);
  app.setNotFoundHandler(() => {
    throw new Refusal('NotFound', 'rs');
  });
  app.setErrorHandler((error, _request, reply) => {
    const refusal = asRefusal(error);
    if (refusal.code === 'Internal') parts.reportError(error);
    return sendProblem(reply, refusal);
  });

  // Before the body is read: a stranger's bytes are not parsed.
  const services = new WeakMap<FastifyRequest, string>();
  const onRequest = async (request: FastifyRequest) => {
    const client = await clients.authenticate(request.headers.authorization, 'execute');
    services.set(request, client.clientId);
  };
  const serviceOf = (request: FastifyRequest): string => {
    const service = services.get(request);
    if (service === undefined) throw new Refusal('Unauthenticated', 'rs');
    return service;
  };

  addRunRoutes(app, {
    rs,
    asks,
    lanes,
    relayed: { offers, lanes, commands: rs.commands },
    surface,
    onRequest,
    serviceOf,
    asRefusal,
    recordRefusal: (error, call, service) => parts.recordRefusal(asRefusal(error), call, service),
  });

  app.get<{ Params: { jti: string } }>('/v1/executions/:jti', { onRequest }, (request) => {
    const found = rs.executions.find(request.params.jti, serviceOf(request));
    if (found === undefined) throw new Refusal('NotFound', 'rs');
    return found;
  });

  app.get('/v1/surface', { onRequest }, () => surface.read());
  app.get('/healthz', () => ({ status: 'ok' }));
  return app;
}

const FASTIFY_CODES: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PayloadTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MalformedRequest',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MalformedRequest',
  FST_ERR_BAD_URL: 'NotFound',
  FST_ERR_MAX_PARAM_LENGTH: 'NotFound',
};

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new Refusal(FASTIFY_CODES[code] ?? 'Internal', 'rs', { detail: String(error) });
}

function sendProblem(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const problem = problemOf(refusal);
  if (problem.status === 401) void reply.header('www-authenticate', 'Bearer');
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}
