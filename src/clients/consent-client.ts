import type { Decision, OutcomeReport, Proposal } from '../contract/wire.js';
import { decision } from '../contract/wire.js';
import { decode } from './decode.js';
import type { ServiceClient } from './service-client.js';

/** The consent page as the bridge sees it: somewhere to put a proposal and to learn the decision. */
export class ConsentClient {
  constructor(private readonly service: ServiceClient) {}

  /** Puts the proposal under its id; the same again changes nothing. @throws Refusal `ConsentConflict`, `ConsentExpired`, `TooManyConsents`, `Unavailable` */
  async propose(proposal: Proposal): Promise<Decision> {
    const path = pathOf(proposal.payload.nonce);
    return decode(
      decision,
      await this.service.request({ method: 'PUT', path, json: proposal }),
      'consent-ui',
    );
  }

  /** The decision, waiting up to `waitSeconds` (0 to 25) for it. @throws Refusal `NotFound`, `Unavailable` */
  async decision(id: string, waitSeconds: number, signal?: AbortSignal): Promise<Decision> {
    const path = `${pathOf(id)}?wait=${waitSeconds}`;
    const timeoutMs = (waitSeconds + 10) * 1000;
    return decode(
      decision,
      await this.service.request({ method: 'GET', path, signal, timeoutMs }),
      'consent-ui',
    );
  }

  /** Withdraws a pending proposal; a decided one keeps its decision. */
  async cancel(id: string): Promise<Decision> {
    return decode(
      decision,
      await this.service.request({ method: 'POST', path: `${pathOf(id)}/cancel`, json: {} }),
      'consent-ui',
    );
  }

  /** Tells the page what happened after the signature. */
  async report(id: string, outcome: OutcomeReport): Promise<void> {
    await this.service.request({ method: 'POST', path: `${pathOf(id)}/outcome`, json: outcome });
  }
}

function pathOf(id: string): string {
  return `/v1/consents/${encodeURIComponent(id)}`;
}
