import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { jsonObject } from '../../src/contract/payload.js';
import { activeKeys } from './active-keys.js';
import { requireApprover } from './approver.js';
import { checked } from './body.js';
import { type Limits, limit } from './limits.js';
import { nextPath } from './next-path.js';
import type { OidcSignIn } from './oidc-routes.js';
import type { ConsentUiRecord } from './record.js';
import type { SessionCookie } from './session-cookie.js';
import type { Sessions } from './sessions.js';
import type { Vault } from './vault-client.js';
import { render } from './views.js';

export interface SignInRouteDeps {
  readonly vault: Vault;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly record: ConsentUiRecord;
  readonly limits: Limits;
  /** Absent where only passkeys sign in. */
  readonly oidc?: OidcSignIn | undefined;
}

const finishBody = z.strictObject({ challenge_id: z.string().max(128), response: jsonObject });

/** Sign-in with a passkey: the vault holds the keys and runs the ceremony, this page holds the session. */
export function registerSignInRoutes(app: FastifyInstance, deps: SignInRouteDeps): void {
  const { vault, sessions, cookie, record } = deps;
  const limited = { onRequest: limit(app, deps.limits.signIn) };

  app.get<{ Querystring: { next?: unknown } }>('/sign-in', (request, reply) =>
    render(request, reply, 'sign-in', {
      title: 'Sign in',
      island: { next: nextPath(request.query.next) },
      ...(deps.oidc === undefined ? {} : { text: { provider: deps.oidc.client.provider } }),
    }),
  );

  app.post('/sign-in/options', limited, () => vault.signInOptions());

  app.post('/sign-in/finish', limited, async (request, reply) => {
    const who = await vault.finishSignIn(checked(finishBody, request.body));
    const token = sessions.begin(
      { approverId: who.approver_id, keyId: who.key_id },
      request.cookies[cookie.name],
    );
    record.append('approver.signed_in', { approver_id: who.approver_id, key_id: who.key_id });
    reply.setCookie(cookie.name, token, cookie.attributes);
    return { approver_id: who.approver_id };
  });

  /** Tells a page whether its browser is signed in: a link from another site arrives without the strict cookie. */
  app.get('/session', async ({ approver }) => {
    if (approver === undefined) return { approver_id: null };
    await activeKeys(vault, approver);
    return { approver_id: approver.approverId };
  });

  app.post('/sign-out', (request, reply) => {
    const { approverId, sessionToken } = requireApprover(request);
    if (sessionToken !== undefined && sessions.end(sessionToken)) {
      record.append('approver.signed_out', { approver_id: approverId });
    }
    return reply.clearCookie(cookie.name, cookie.attributes).send({});
  });
}
