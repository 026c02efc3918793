import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance } from 'fastify';
import { MAX_BODY_BYTES } from '../../src/contract/wire.js';
import { ApproverIdentification } from './approver.js';
import type { Assets } from './assets.js';
import { registerBodyParser } from './body.js';
import { ServiceClients } from './clients.js';
import type { Clock } from './clock.js';
import type { Config } from './config.js';
import type { Consents } from './consents.js';
import { registerErrorHandler, sendProblem, toRefusal } from './error-handler.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';
import type { OidcSignIn } from './oidc-routes.js';
import { packageRoot } from './package-root.js';
import { registerPersonRoutes } from './person-routes.js';
import type { ConsentUiRecord } from './record.js';
import { registerSecurityHeaders } from './security-headers.js';
import { registerServiceRoutes } from './service-routes.js';
import { sessionCookie } from './session-cookie.js';
import type { Sessions } from './sessions.js';
import type { Vault } from './vault-client.js';
import { registerViews } from './views.js';

export interface AppDeps {
  readonly config: Config;
  readonly consents: Consents;
  readonly sessions: Sessions;
  readonly vault: Vault;
  readonly record: ConsentUiRecord;
  readonly assets: Assets;
  readonly clock: Clock;
  readonly limits?: Limits;
  readonly oidc?: OidcSignIn | undefined;
}

/** The consent page as one Fastify app, the same object for the server and for tests. It listens to nothing by itself. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, clock, record } = deps;
  const { origin } = config;
  const limits = deps.limits ?? DEFAULT_LIMITS;
  const app = Fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: 256 },
    forceCloseConnections: 'idle',
    // What the router itself refuses (an address that cannot be decoded) never reaches the error handler.
    frameworkErrors: (error, _request, reply) => {
      void sendProblem(toRefusal(error), reply);
    },
  });
  endWaitsOnClose(app, deps.consents);
  await registerSecurityHeaders(app, origin);
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  await registerViews(app, packageRoot(), deps.assets);
  registerBodyParser(app);
  registerErrorHandler(app, record, limits.recordedRefusals);

  const clients = new ServiceClients(config.clients, origin, clock);
  await app.register((service, _options, done) => {
    registerServiceRoutes(service, { consents: deps.consents, clients });
    done();
  });

  const session = sessionCookie(origin, config.session_ttl_seconds);
  const identification = new ApproverIdentification({ ...deps, cookie: session, origin });
  await app.register((person, _options, done) => {
    const rpId = config.rp_id ?? new URL(origin).hostname;
    registerPersonRoutes(person, {
      ...deps,
      limits,
      identification,
      cookie: session,
      origin,
      rpId,
    });
    done();
  });
  return app;
}

/** Closing answers the long polls with what is known, and tells their connections to end. */
function endWaitsOnClose(app: FastifyInstance, consents: Consents): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    consents.endWaits();
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
}
