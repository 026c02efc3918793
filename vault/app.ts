import type { FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import { MAX_BODY_BYTES } from '../src/contract/wire.js';
import { parseStrictJson } from '../src/contract/strict-json.js';
import { acceptOnly, decodeUtf8 } from './http/body.js';
import { serveCeremonies } from './http/ceremonies.js';
import { serveDirectory } from './http/directory.js';
import { serveExamination } from './http/examine.js';
import { serveMetadata } from './http/metadata.js';
import { refusalOf, sendProblem } from './http/problems.js';
import { serveTokenEndpoint } from './http/token-endpoint.js';
import { refuse } from './refuse.js';
import type { VaultService } from './service.js';

/** The vault's HTTP interface over a service; the same object is mounted by main and by tests. Not listening yet. */
export function vaultApp(service: VaultService): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    // Nobody may hold a socket by sending slowly.
    requestTimeout: 30_000,
    // An approver id of 256 characters may be longer in a path.
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (error, _request, reply) => {
      void sendProblem(reply, refusalOf(error, service.log));
    },
  });
  acceptOnly(app, 'application/json', (octets) =>
    parseStrictJson(decodeUtf8(octets, 'MalformedJson'), 'vault'),
  );
  app.setErrorHandler((error, _request, reply) =>
    sendProblem(reply, refusalOf(error, service.log)),
  );
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, refuse('NotFound')));
  serveMetadata(app, service.config, service.keys);
  serveTokenEndpoint(app, service);
  serveExamination(app, service);
  serveCeremonies(app, service);
  serveDirectory(app, service);
  return app;
}
