import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { Refusal } from '../../src/contract/errors.js';
import { signature } from '../../src/contract/payload.js';
import type { ConsentIsland, Inbox } from '../consent-view.js';
import { activeKeys } from './active-keys.js';
import { requireApprover } from './approver.js';
import { checked } from './body.js';
import { checkOwnConsent } from './checks/check-own-consent.js';
import type { Clock } from './clock.js';
import type { Consents } from './consents.js';
import { type Limits, limit } from './limits.js';
import { listingOf, standingOf, viewOf } from './present.js';
import type { StoredConsent } from './store/consent-store.js';
import type { Vault } from './vault-client.js';
import { render, wantsPage } from './views.js';

export interface ConsentRouteDeps {
  readonly consents: Consents;
  readonly vault: Vault;
  readonly clock: Clock;
  /** RP ID of the passkeys. */
  readonly rpId: string;
  readonly limits: Limits;
}

const LISTED = 300;
const approveBody = z.strictObject({ signature });
const declineBody = z.strictObject({ reason: z.string().max(2000).optional() });

interface IdParam {
  Params: { id: string };
}
type WithId = FastifyRequest<IdParam>;

/** The approver's list, one consent, and the two answers to it. GET and HEAD change nothing. */
export function registerConsentRoutes(app: FastifyInstance, deps: ConsentRouteDeps): void {
  const { consents, vault, clock } = deps;
  const own = (request: WithId): StoredConsent => {
    const { approverId } = requireApprover(request);
    const consent = consents.get(request.params.id);
    checkOwnConsent(approverId, consent.proposal.payload.approver_id);
    return consent;
  };
  const keysOf = (request: WithId) => activeKeys(vault, requireApprover(request));
  /** As {@link keysOf}, where the answer gives nothing away and a vault that is down must not stop it. */
  const checkKeyIfKnown = async (request: WithId): Promise<void> => {
    await keysOf(request).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== 'Unavailable') throw error;
    });
  };
  // Authenticate, authorise and count before the body is read.
  const decision = {
    onRequest: [
      (request: FastifyRequest, _reply: unknown, done: () => void): void => {
        requireApprover(request);
        done();
      },
      limit(app, deps.limits.decide),
    ],
  };

  app.get('/', async (request, reply) => {
    const approver = requireApprover(request);
    await activeKeys(vault, approver);
    const list = inboxOf(consents.ofApprover(approver.approverId, LISTED + 1), clock);
    return wantsPage(request)
      ? render(request, reply, 'inbox', { title: 'Requests', island: list })
      : list;
  });

  app.get('/consents/:id', async (request: WithId, reply) => {
    const consent = viewOf(own(request), clock);
    const keys = await keysOf(request);
    if (!wantsPage(request)) return consent;
    const passkeys = keys.flatMap(({ key_id, credential_id }) =>
      credential_id === undefined ? [] : [{ key_id, credential_id }],
    );
    const island: ConsentIsland = { consent, signing: { rp_id: deps.rpId, passkeys } };
    return render(request, reply, 'consent', { title: 'Approval request', island });
  });

  app.get('/consents/:id/status', async (request: WithId) => {
    await checkKeyIfKnown(request);
    return standingOf(own(request), clock);
  });

  app.post<IdParam>('/consents/:id/approve', decision, async (request) => {
    await checkKeyIfKnown(request);
    const { id } = own(request);
    const body = checked(approveBody, request.body);
    return standingOf(await consents.approve(id, body.signature), clock);
  });

  app.post<IdParam>('/consents/:id/decline', decision, async (request) => {
    await keysOf(request);
    const { id } = own(request);
    const { reason } = checked(declineBody, request.body);
    return standingOf(consents.decline(id, reason === '' ? undefined : reason), clock);
  });
}

function inboxOf(newest: readonly StoredConsent[], clock: Clock): Inbox {
  const listed = newest.slice(0, LISTED).map((consent) => listingOf(consent, clock));
  return {
    pending: listed.filter(({ status }) => status === 'pending'),
    recent: listed.filter(({ status }) => status !== 'pending'),
    more: newest.length > LISTED,
  };
}
