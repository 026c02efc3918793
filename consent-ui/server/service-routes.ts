import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { Refusal } from '../../src/contract/errors.js';
import { outcomeReport, proposal } from '../../src/contract/wire.js';
import { checked } from './body.js';
import type { ServiceClients } from './clients.js';
import type { Consents } from './consents.js';
import { CONSENT_ID } from './next-path.js';
import { decisionOf } from './present.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated service, on `/v1` routes. */
    proposer: string;
  }
}

const LAYER = 'consent-ui';
const waitQuery = z.strictObject({
  wait: z
    .string()
    .regex(/^(\d|1\d|2[0-5])$/, 'must be 0 to 25 whole seconds')
    .optional(),
});

type WithId = FastifyRequest<{ Params: { id: string } }>;

/** `/v1`: the bridge puts proposals here and learns the decisions. Every route needs a client with the role `propose`. */
export function registerServiceRoutes(
  app: FastifyInstance,
  deps: { readonly consents: Consents; readonly clients: ServiceClients },
): void {
  const { consents, clients } = deps;
  app.decorateRequest('proposer', '');
  app.addHook('onRequest', async (request) => {
    request.proposer = await clients.authenticate(request.headers.authorization, 'propose');
  });

  app.put('/v1/consents/:id', (request: WithId, reply) => {
    const body = checked(proposal, request.body);
    if (body.payload.nonce !== request.params.id || !CONSENT_ID.test(body.payload.nonce)) {
      throw new Refusal('MalformedRequest', LAYER, { path: 'payload.nonce' });
    }
    const { created, consent } = consents.propose(request.proposer, body);
    return reply.code(created ? 201 : 200).send(decisionOf(consent));
  });

  app.get('/v1/consents/:id', async (request: WithId, reply) => {
    const { wait } = checked(waitQuery, request.query);
    const { id } = consents.proposedBy(request.proposer, request.params.id);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return decisionOf(await consents.decided(id, Number(wait ?? 0), gone.signal));
  });

  app.post('/v1/consents/:id/cancel', (request: WithId, reply) => {
    const { id } = consents.proposedBy(request.proposer, request.params.id);
    return reply.send(decisionOf(consents.cancel(id)));
  });

  app.post('/v1/consents/:id/outcome', (request: WithId, reply) => {
    const report = checked(outcomeReport, request.body);
    const { id } = consents.proposedBy(request.proposer, request.params.id);
    return reply.send(decisionOf(consents.report(id, report)));
  });
}
