import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { Refusal } from '../../src/contract/errors.js';
import { activeKeys } from './active-keys.js';
import { checked } from './body.js';
import { limit } from './limits.js';
import { nextPath } from './next-path.js';
import { attemptCookie, type OidcAttempts } from './oidc-attempts.js';
import type { OidcClient } from './oidc-client.js';
import type { SignInRouteDeps } from './sign-in-routes.js';
import { render } from './views.js';

export interface OidcSignIn {
  readonly client: OidcClient;
  readonly attempts: OidcAttempts;
}

const startBody = z.strictObject({ next: z.string().max(512) });
const finishBody = z.strictObject({ query: z.string().max(4096) });

/**
 * Sign-in at an OpenID Provider. Both steps are changes like any other, posted by our own pages: no GET signs anybody in,
 * and no other site can begin or end a sign-in here.
 */
export function registerOidcRoutes(
  app: FastifyInstance,
  deps: SignInRouteDeps & { readonly origin: string },
  { client, attempts }: OidcSignIn,
): void {
  const { vault, sessions, cookie, record } = deps;
  const limited = { onRequest: limit(app, deps.limits.signIn) };
  const attempt = attemptCookie(deps.origin);

  app.post('/sign-in/oidc/start', limited, async (request, reply) => {
    const { next } = checked(startBody, request.body);
    const { url, checks } = await client.begin();
    const token = attempts.begin({ checks, next: nextPath(next) });
    reply.setCookie(attempt.name, token, attempt.attributes);
    return { url };
  });

  /** Where the provider leads the browser. The page changes nothing by itself; its script posts what came with it. */
  app.get('/sign-in/oidc/callback', (request, reply) =>
    render(request, reply, 'oidc-callback', { title: 'Signing in' }),
  );

  app.post('/sign-in/oidc/finish', limited, async (request, reply) => {
    const { query } = checked(finishBody, request.body);
    reply.clearCookie(attempt.name, attempt.attributes);
    const begun = attempts.take(request.cookies[attempt.name] ?? '');
    if (begun === undefined)
      throw new Refusal('CeremonyFailed', 'consent-ui', { detail: 'not begun by this browser' });
    const approverId = await client.finish(query, begun.checks);
    // Whom the vault knows no key of has nothing to see here.
    const who = { approverId, keyId: undefined };
    await activeKeys(vault, { ...who, sessionToken: undefined });
    const token = sessions.begin(who, request.cookies[cookie.name]);
    record.append('approver.signed_in', { approver_id: approverId, by: 'oidc' });
    reply.setCookie(cookie.name, token, cookie.attributes);
    return { approver_id: approverId, next: begun.next };
  });
}
