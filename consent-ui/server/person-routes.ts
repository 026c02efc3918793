import type { FastifyInstance } from 'fastify';
import { type ApproverIdentification, changes } from './approver.js';
import { type Assets, registerAssetRoutes } from './assets.js';
import { checkHost } from './checks/check-host.js';
import { checkOrigin } from './checks/check-origin.js';
import { type ConsentRouteDeps, registerConsentRoutes } from './consent-routes.js';
import { registerEnrolRoutes } from './enrol-routes.js';
import { type Limits, limit } from './limits.js';
import { registerOidcRoutes } from './oidc-routes.js';
import { type SignInRouteDeps, registerSignInRoutes } from './sign-in-routes.js';

export interface PersonRouteDeps extends ConsentRouteDeps, SignInRouteDeps {
  readonly identification: ApproverIdentification;
  readonly assets: Assets;
  readonly origin: string;
  readonly limits: Limits;
}

/**
 * Everything a person's browser (or terminal) reaches. In this order, before a body is read: the host is ours, a change
 * comes from our own page, the address is not flooding, and then who it is.
 */
export function registerPersonRoutes(app: FastifyInstance, deps: PersonRouteDeps): void {
  app.decorateRequest('approver', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    // A bearer assertion is nothing a browser adds by itself, so there is nothing another site could borrow.
    if (request.headers.authorization === undefined) {
      checkHost(request.headers.host, deps.origin);
      if (changes(request)) checkOrigin(request.headers, deps.origin);
    }
    done();
  });
  app.addHook('onRequest', limit(app, deps.limits.requests));
  app.addHook('onRequest', async (request) => {
    request.approver = await deps.identification.identify(request);
  });
  registerAssetRoutes(app, deps.assets);
  registerSignInRoutes(app, deps);
  if (deps.oidc !== undefined) registerOidcRoutes(app, deps, deps.oidc);
  registerEnrolRoutes(app, deps);
  registerConsentRoutes(app, deps);
}
