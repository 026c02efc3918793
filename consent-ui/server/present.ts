import type { Decision } from '../../src/contract/wire.js';
import type { ConsentListing, ConsentStanding, ConsentView } from '../consent-view.js';
import type { Clock } from './clock.js';
import type { StoredConsent } from './store/consent-store.js';

/** What the bridge learns: the decision, and when approved the signed payload. */
export function decisionOf(consent: StoredConsent): Decision {
  const { payload } = consent.proposal;
  return {
    id: consent.id,
    status: consent.status,
    ...(consent.decidedAt === undefined ? {} : { decided_at: consent.decidedAt }),
    ...(consent.signature === undefined
      ? {}
      : { signed: { payload, signature: consent.signature } }),
    ...(consent.reason === undefined ? {} : { reason: consent.reason }),
  };
}

/** What the approver's page polls for. */
export function standingOf(consent: StoredConsent, clock: Clock): ConsentStanding {
  const msLeft = consent.proposal.payload.exp * 1000 - clock();
  return {
    status: consent.status,
    seconds_left: Math.max(0, Math.ceil(msLeft / 1000)),
    ...(consent.decidedAt === undefined ? {} : { decided_at: consent.decidedAt }),
    ...(consent.reason === undefined ? {} : { reason: consent.reason }),
    ...(consent.outcome === undefined ? {} : { outcome: consent.outcome }),
  };
}

/** Everything the approver sees of one consent. */
export function viewOf(consent: StoredConsent, clock: Clock): ConsentView {
  const { payload, requested_by, tool } = consent.proposal;
  return { id: consent.id, payload, requested_by, tool, ...standingOf(consent, clock) };
}

/** One line of the approver's list. */
export function listingOf(consent: StoredConsent, clock: Clock): ConsentListing {
  const { cmd, binding_message, client_id } = consent.proposal.payload;
  return {
    id: consent.id,
    cmd,
    binding_message,
    client_id,
    proposed_at: consent.proposedAt,
    ...standingOf(consent, clock),
  };
}
