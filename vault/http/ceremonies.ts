import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { authenticationResponse, registrationResponse } from '../ceremony-shapes.js';
import { requireRole } from '../clients.js';
import type { VaultService } from '../service.js';
import { parseShape } from '../shape.js';
import { authenticated } from './authenticated.js';
import { recordingRefusals } from './recorded.js';

const id = z.string().min(1).max(128);
const invitation = z.strictObject({ invite: z.string().min(1).max(256) });
const nothing = z.strictObject({});
const enrolmentAnswer = z.strictObject({
  enrolment_id: id,
  response: registrationResponse,
  label: z.string().min(1).max(200),
});
const signInAnswer = z.strictObject({ challenge_id: id, response: authenticationResponse });
const keyAssertion = z.strictObject({
  assertion: z.string().min(1).max(4096),
  aud: z.string().min(1).max(256),
});

/** Enrolment and sign-in of approvers, for the consent page (role `ceremony`), which does not see a key. */
export function serveCeremonies(app: FastifyInstance, service: VaultService): void {
  const { enrolment, signIn, keySignIn } = service;
  const routes = [
    route('enrolments/options', 'enrolment', invitation, ({ invite }) => enrolment.options(invite)),
    route('enrolments/finish', 'enrolment', enrolmentAnswer, ({ enrolment_id, response, label }) =>
      enrolment.finish(enrolment_id, response, label),
    ),
    route('sign-in/options', 'sign-in', nothing, () => signIn.options()),
    route('sign-in/finish', 'sign-in', signInAnswer, ({ challenge_id, response }) =>
      signIn.finish(challenge_id, response),
    ),
    route('sign-in/key', 'sign-in', keyAssertion, ({ assertion, aud }) =>
      keySignIn.finish(assertion, aud),
    ),
  ];
  for (const { path, ceremony, answer } of routes) {
    app.post(`/v1/${path}`, async (request, reply) => {
      const client = await authenticated(request, service);
      const facts = { presented_by: client.clientId };
      const body = await recordingRefusals(service.store, `${ceremony}.refused`, facts, () => {
        requireRole(client, 'ceremony');
        return answer(request.body);
      });
      return reply.header('cache-control', 'no-store').send(body);
    });
  }
}

function route<T>(
  path: string,
  ceremony: 'enrolment' | 'sign-in',
  shape: z.ZodType<T>,
  handle: (body: T) => Promise<object>,
) {
  return { path, ceremony, answer: (body: unknown) => handle(parseShape(shape, body)) };
}
