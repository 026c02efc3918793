import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, type RefusalCode, problemOf } from '../../src/contract/errors.js';
import { changes } from './approver.js';
import { type Limiter, limiter } from './limits.js';
import type { ConsentUiRecord } from './record.js';
import { render, wantsPage } from './views.js';

const LAYER = 'consent-ui';

/**
 * One way out for every refusal: a problem document (RFC 9457) for programs, a page for people, the sign-in page for a
 * person who is not signed in. Details stay here, in the record.
 */
export function registerErrorHandler(
  app: FastifyInstance,
  record: ConsentUiRecord,
  recordedRefusals: number,
): void {
  const noise = limiter(app, recordedRefusals);
  app.setErrorHandler(async (error: FastifyError | Refusal, request, reply) => {
    const refusal = toRefusal(error);
    await note(record, noise, refusal, error, request);
    return answer(refusal, request, reply);
  });
  app.setNotFoundHandler((request, reply) =>
    answer(new Refusal('NotFound', LAYER), request, reply),
  );
}

/** Every error as a refusal: Fastify's own by meaning, anything unexpected as `Internal`. */
export function toRefusal(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('PayloadTooLarge', LAYER);
  const status = error.statusCode ?? 500;
  return new Refusal(status >= 400 && status < 500 ? 'MalformedRequest' : 'Internal', LAYER);
}

/** RFC 9457. */
export function sendProblem(refusal: Refusal, reply: FastifyReply): FastifyReply {
  const problem = problemOf(refusal);
  return reply.code(problem.status).type('application/problem+json').send(problem);
}

function answer(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!wantsPage(request)) return sendProblem(refusal, reply);
  const problem = problemOf(refusal);
  reply.code(problem.status);
  if (refusal.code === 'Unauthenticated' && !changes(request)) {
    return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 302);
  }
  const text = { sentence: problem.title, code: refusal.code, hint: HINTS[refusal.code] ?? '' };
  return render(request, reply, 'message', {
    title: TITLES[problem.status] ?? 'Not possible',
    text,
  });
}

/** Looking without being signed in is not an event: it is answered with the sign-in page. */
async function note(
  record: ConsentUiRecord,
  noise: Limiter,
  refusal: Refusal,
  error: Error,
  request: FastifyRequest,
): Promise<void> {
  if (refusal.code === 'Unauthenticated' && wantsPage(request)) return;
  if ((await noise(request)).exceeded) return;
  const failed = refusal.code === 'Internal';
  if (failed) process.stderr.write(`consent-ui: ${error.stack ?? error.message}\n`);
  record.append(failed ? 'request.failed' : 'request.refused', {
    code: refusal.code,
    layer: refusal.layer,
    method: request.method,
    route: request.routeOptions.url,
    ...(consentIdOf(request) === undefined ? {} : { consent_id: consentIdOf(request) }),
    ...(request.approver === undefined ? {} : { approver_id: request.approver.approverId }),
    ...(refusal.path === undefined ? {} : { path: refusal.path }),
    ...(refusal.detail === undefined ? {} : { detail: refusal.detail }),
  });
}

function consentIdOf(request: FastifyRequest): string | undefined {
  const params = request.params as { readonly id?: string } | undefined;
  return params?.id?.slice(0, 128);
}

/** What a person can do about it; says nothing of what they may not see. */
const HINTS: Partial<Record<RefusalCode, string>> = {
  Forbidden: 'If this link was sent to you, you may be signed in as somebody else.',
  NotFound: 'Requests disappear a day after their time ran out.',
};

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not yours to see',
  404: 'Nothing here',
  410: 'No longer open',
  429: 'One moment, please',
  500: 'Something failed',
  503: 'Not reachable right now',
};
