/** The HTTP surface: authenticate the service, read the body, call `execute`. Tests and main mount the same object. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { createHash } from 'node:crypto';
import type { RefusalCode } from '../src/contract/errors.js';
import { Refusal, problemOf } from '../src/contract/errors.js';
import { deepFreeze } from '../src/contract/json.js';
import type { ExecuteRequest, Surface } from '../src/contract/wire.js';
import { executeRequest, MAX_BODY_BYTES } from '../src/contract/wire.js';
import type { ClientAuthentication } from './client-authentication.js';
import { execute } from './execute.js';
import { acceptStrictJson, readAs } from './read-body.js';
import type { ResourceServer } from './resource-server.js';

interface AppParts {
  readonly rs: ResourceServer;
  readonly clients: ClientAuthentication;
  /** One entry of this domain's record, durable when it resolves. */
  readonly recordRefusal: (refusal: Refusal, about: RefusedCall) => Promise<void>;
  /** For what is nobody's refusal: goes to stderr. */
  readonly reportError: (error: unknown) => void;
}

/** What the record keeps of a refused call. */
export interface RefusedCall {
  readonly service: string;
  readonly command: string;
  readonly subject: string;
  readonly client_id: string;
  /** SHA-256 of the credential text, base64url, if there was one. */
  readonly credential_sha256?: string;
}

export function buildApp(parts: AppParts): FastifyInstance {
  const { rs, clients } = parts;
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

  app.post('/v1/execute', { onRequest }, async (request) => {
    const service = serviceOf(request);
    const call: ExecuteRequest = readAs(executeRequest, request.body);
    deepFreeze(call.args);
    try {
      return await execute(call, service, rs);
    } catch (error) {
      const refusal = asRefusal(error);
      await parts.recordRefusal(refusal, describe(call, service));
      throw error;
    }
  });

  app.get<{ Params: { jti: string } }>('/v1/executions/:jti', { onRequest }, (request) => {
    const found = rs.executions.find(request.params.jti, serviceOf(request));
    if (found === undefined) throw new Refusal('NotFound', 'rs');
    return found;
  });

  app.get('/v1/surface', { onRequest }, (): Surface => ({
    revision: 0,
    tools: [...rs.actions.definitions],
    resources: [],
    resource_templates: [],
    prompts: [],
    upstreams: [],
  }));
  app.get('/healthz', () => ({ status: 'ok' }));
  return app;
}

function describe(call: ExecuteRequest, service: string): RefusedCall {
  const { command, caller, credential } = call;
  return {
    service,
    command,
    subject: caller.subject,
    client_id: caller.client_id,
    ...(credential === undefined
      ? {}
      : { credential_sha256: createHash('sha256').update(credential).digest('base64url') }),
  };
}

/** An answer sent while the server stops is the last on its connection, or a keep-alive client would hold the stop up. */
function endConnectionsOnClose(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
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
