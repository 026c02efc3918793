import { createHash } from 'node:crypto';
import { canonicalBytes } from '../../src/contract/canonical.js';
import { Refusal } from '../../src/contract/errors.js';
import type { JsonValue } from '../../src/contract/json.js';
import { jsonEqual } from '../../src/contract/json.js';
import type { Payload, Signature, SignedPayload } from '../../src/contract/payload.js';
import type { OutcomeReport, Proposal } from '../../src/contract/wire.js';
import type { Clock } from './clock.js';
import { posixSecondsOf } from './clock.js';
import type { Choice, ConsentStore, StoredConsent } from './store/consent-store.js';
import type { Waiters } from './waiters.js';

const LAYER = 'consent-ui';
const MAX_STORED = 20_000;
const KEPT_AFTER_EXP_SECONDS = 86_400;

/** Asks the vault whether this signature would mint, without minting. @throws Refusal as the vault refuses */
export type ExamineSignature = (signed: SignedPayload) => Promise<void>;

/**
 * The life of a consent: `pending → approved | declined | expired | cancelled`, one final state, the first write wins
 *. The signed `exp` is the only deadline: from that second on the consent is expired, whether or
 * not the sweep has written it yet.
 */
export class Consents {
  constructor(
    private readonly deps: {
      readonly store: ConsentStore;
      readonly waiters: Waiters;
      readonly clock: Clock;
      readonly examine: ExamineSignature;
    },
  ) {}

  /**
   * Stores a proposal under `payload.nonce`; the same proposal again changes nothing.
   * @throws Refusal ConsentConflict (the id holds another proposal), ConsentExpired, TooManyConsents, MalformedPayload (it
   *   has no canonical bytes), MalformedRequest (the client shown is not the client signed for)
   */
  propose(proposer: string, proposal: Proposal): { created: boolean; consent: StoredConsent } {
    const { payload, requested_by } = proposal;
    if (requested_by.client_id !== payload.client_id) {
      throw new Refusal('MalformedRequest', LAYER, { path: 'requested_by.client_id' });
    }
    const hash = digestOf(payload);
    const known = this.deps.store.find(payload.nonce);
    if (known !== undefined)
      return {
        created: false,
        consent: sameProposal(known, proposer, proposal, this.deps.clock()),
      };
    const now = this.now();
    if (payload.exp <= now) throw new Refusal('ConsentExpired', LAYER);
    if (this.deps.store.count() >= MAX_STORED) throw new Refusal('TooManyConsents', LAYER);
    const created = this.deps.store.insert(proposer, proposal, hash, now);
    return {
      created,
      consent: sameProposal(this.get(payload.nonce), proposer, proposal, this.deps.clock()),
    };
  }

  /** @throws Refusal NotFound */
  get(id: string): StoredConsent {
    const consent = this.deps.store.find(id);
    if (consent === undefined) throw new Refusal('NotFound', LAYER);
    return settled(consent, this.deps.clock());
  }

  /** As {@link get}, for the service that proposed it; to any other the id does not exist. @throws Refusal NotFound */
  proposedBy(proposer: string, id: string): StoredConsent {
    const consent = this.get(id);
    if (consent.proposer !== proposer) throw new Refusal('NotFound', LAYER);
    return consent;
  }

  /** The approver's own, newest first. */
  ofApprover(approverId: string, limit: number): readonly StoredConsent[] {
    const now = this.deps.clock();
    return this.deps.store.ofApprover(approverId, limit).map((consent) => settled(consent, now));
  }

  /** As {@link get}, after waiting up to `seconds` for a final state. */
  async decided(id: string, seconds: number, signal: AbortSignal): Promise<StoredConsent> {
    const consent = this.get(id);
    if (consent.status !== 'pending' || seconds === 0) return consent;
    const msLeft = consent.proposal.payload.exp * 1000 - this.deps.clock();
    await this.deps.waiters.wait(id, Math.min(seconds * 1000, msLeft), signal);
    return this.get(id);
  }

  /**
   * Approves with a signature over the stored payload, after the vault has examined it. Durable when it resolves.
   * @throws Refusal ConsentExpired, AlreadyDecided, and what the vault refuses with (layer `vault`)
   */
  async approve(id: string, signature: Signature): Promise<StoredConsent> {
    const before = this.get(id);
    if (before.signature !== undefined && jsonEqual(before.signature, signature)) return before;
    if (before.status !== 'pending' && before.status !== 'approved') throw refusalOf(before);
    const { payload } = before.proposal;
    await this.deps.examine({ payload, signature });
    return this.decide(id, { status: 'approved', signature, hash: digestOf(payload) });
  }

  /** @throws Refusal ConsentExpired, AlreadyDecided */
  decline(id: string, reason: string | undefined): StoredConsent {
    return this.decide(id, { status: 'declined', reason });
  }

  /** The bridge no longer needs an answer. A consent that has one keeps it. */
  cancel(id: string): StoredConsent {
    this.get(id);
    this.write(id, { status: 'cancelled' });
    return this.get(id);
  }

  /**
   * Keeps what the bridge says happened. `minted` gives way to a result; a result stays.
   * @throws Refusal ConsentConflict (not approved, or another result was reported before)
   */
  report(id: string, outcome: OutcomeReport): StoredConsent {
    const consent = this.get(id);
    const told = consent.outcome?.state;
    if (consent.status !== 'approved') throw new Refusal('ConsentConflict', LAYER);
    if (told === outcome.state || (told !== undefined && outcome.state === 'minted'))
      return consent;
    if (told !== undefined && told !== 'minted') throw new Refusal('ConsentConflict', LAYER);
    this.deps.store.setOutcome(id, outcome);
    return this.get(id);
  }

  /** Writes expiries, wakes who waits for them, and forgets consents a day after their deadline. */
  sweep(): void {
    const now = this.now();
    for (const id of this.deps.store.expireDue(now)) this.deps.waiters.wake(id);
    this.deps.store.sweep(now - KEPT_AFTER_EXP_SECONDS);
  }

  /** Ends every wait in {@link decided}, so that a server can close. */
  endWaits(): void {
    this.deps.waiters.wakeAll();
  }

  private decide(id: string, choice: Choice): StoredConsent {
    this.write(id, choice);
    const after = this.get(id);
    if (after.status !== choice.status) throw refusalOf(after);
    return after;
  }

  private write(id: string, choice: Choice): void {
    if (this.deps.store.decide(id, choice, this.now())) this.deps.waiters.wake(id);
  }

  private now(): number {
    return posixSecondsOf(this.deps.clock());
  }
}

/** base64url SHA-256 of the canonical bytes. @throws Refusal MalformedPayload */
function digestOf(payload: Payload): string {
  return createHash('sha256').update(canonicalBytes(payload, LAYER)).digest('base64url');
}

/** A pending consent past its deadline reads as expired from that moment. */
function settled(consent: StoredConsent, nowMs: number): StoredConsent {
  const { exp } = consent.proposal.payload;
  if (consent.status !== 'pending' || posixSecondsOf(nowMs) < exp) return consent;
  return { ...consent, status: 'expired', decidedAt: exp };
}

function sameProposal(
  known: StoredConsent,
  proposer: string,
  proposal: Proposal,
  nowMs: number,
): StoredConsent {
  if (known.proposer !== proposer || !jsonEqual(jsonOf(known.proposal), jsonOf(proposal))) {
    throw new Refusal('ConsentConflict', LAYER);
  }
  return settled(known, nowMs);
}

function jsonOf(proposal: Proposal): JsonValue {
  return JSON.parse(JSON.stringify(proposal)) as JsonValue;
}

function refusalOf(consent: StoredConsent): Refusal {
  return new Refusal(consent.status === 'expired' ? 'ConsentExpired' : 'AlreadyDecided', LAYER);
}
