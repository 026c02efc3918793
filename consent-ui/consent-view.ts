/** What the server tells a page (or a terminal approver) about consents. Types only: server and browser share nothing else. */
import type { Form2Payload } from '../src/contract/payload.js';
import type { DecisionStatus, OutcomeReport, Proposal } from '../src/contract/wire.js';

/** Where a consent stands. */
export interface ConsentStanding {
  readonly status: DecisionStatus;
  /** Seconds until the signed `exp`, by the server's clock; 0 when it has passed. */
  readonly seconds_left: number;
  /** POSIX seconds; absent while pending. */
  readonly decided_at?: number;
  /** What the approver wrote when declining. */
  readonly reason?: string;
  /** What the bridge reported after the signature. */
  readonly outcome?: OutcomeReport;
}

/** One consent, in full, for its approver. `payload` is the very object that is shown, signed and sent on. */
export interface ConsentView extends ConsentStanding {
  readonly id: string;
  readonly payload: Form2Payload;
  readonly requested_by: Proposal['requested_by'];
  readonly tool: Proposal['tool'];
}

/** One line of the approver's list. */
export interface ConsentListing extends ConsentStanding {
  readonly id: string;
  readonly cmd: string;
  readonly binding_message: string;
  readonly client_id: string;
  /** POSIX seconds. */
  readonly proposed_at: number;
}

/** `GET /` as JSON, and the data of the list page. Newest first; `more` when older ones were left out. */
export interface Inbox {
  readonly pending: readonly ConsentListing[];
  readonly recent: readonly ConsentListing[];
  readonly more: boolean;
}

/** What the page needs beside the consent itself to call the passkey. */
export interface SigningKeys {
  readonly rp_id: string;
  /** This approver's passkeys: thumbprint of the public key, and WebAuthn credential id (both base64url). */
  readonly passkeys: readonly { readonly key_id: string; readonly credential_id: string }[];
}

/** The data of the consent page. */
export interface ConsentIsland {
  readonly consent: ConsentView;
  readonly signing: SigningKeys;
}
