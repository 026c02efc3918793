import type { ConsentClient } from '../clients/consent-client.js';
import type { MintedCredential, Vault } from '../contract/vault.js';
import { Refusal } from '../contract/errors.js';
import { jsonEqual } from '../contract/json.js';
import type { SignedPayload } from '../contract/payload.js';
import type { Decision, OutcomeReport, ToolDefinition } from '../contract/wire.js';
import type { Consent, ConsentStore } from '../store/consents.js';
import type { ConsentIds } from './consent-id.js';
import { MAX_PENDING_PER_CALLER, type NewConsentRate } from './limits.js';
import { isFinal, nextStep } from './next-step.js';
import { type ApprovalRequired, type Outcome, refusedBy } from './outcome.js';
import type { ToolPolicy } from './policy.js';
import { type ProposalTerms, type ToolCall, propose } from './proposal.js';
import { shownOf } from './shown-tool.js';
import { SharedFlights } from './shared-flights.js';

/** How long a call waits for the human before it answers that approval is still required. */
export interface Patience {
  /** False when the client could not use the answer: then nobody is asked. */
  readonly mayAsk: boolean;
  readonly waitSeconds: number;
  readonly signal?: AbortSignal;
  /** Asked after a wait, before anything is done: the caller may have lost its right meanwhile. @throws Refusal */
  readonly stillMay?: () => void;
}

/** The human signed and the vault minted: everything the resource server needs, passed on unread. */
export interface Approved {
  readonly kind: 'Approved';
  readonly consent: Consent;
  readonly credential: string;
  readonly jti: string;
  readonly signed: SignedPayload;
}

export interface GatePorts {
  readonly store: ConsentStore;
  readonly ids: ConsentIds;
  readonly rate: NewConsentRate;
  readonly page: ConsentClient;
  readonly vault: Vault;
  readonly terms: ProposalTerms;
  /** Origin under which the approver's browser reaches the consent page. */
  readonly pageOrigin: string;
  readonly clock: () => number;
}

/** Longest a single question to the consent page waits, seconds. */
const LONG_POLL_S = 25;

/** Where a gated call stops until a person has signed exactly it. */
export class Gate {
  private readonly minting = new SharedFlights<MintedCredential>();

  constructor(private readonly ports: GatePorts) {}

  /**
   * Takes one call as far as it can go now: asks, waits within `patience`, mints.
   * @throws Refusal when nothing could be decided (`Unavailable`, `RateLimited`, `TooManyConsents`, `MalformedPayload`);
   *   the consent keeps its state and an identical call continues.
   */
  async approvalFor(
    call: ToolCall,
    policy: ToolPolicy,
    tool: ToolDefinition,
    patience: Patience,
  ): Promise<Approved | Outcome> {
    const { store, ids } = this.ports;
    const lookup = ids.lookup(call);
    const until = this.now() + patience.waitSeconds;
    let followed = call.consentId;
    for (;;) {
      const own = this.followed(followed, lookup);
      if (own?.state === 'settled') return must(own.result);
      const consent = own ?? store.latest(lookup);
      const step = nextStep(consent, this.now());
      followed = step === 'open' ? undefined : consent?.id;
      if (step === 'mint' || step === 'execute') patience.stillMay?.();
      switch (step) {
        case 'open':
          if (!patience.mayAsk) throw new Refusal('ApprovalRequired', 'dispatcher');
          await this.open(call, policy, tool, lookup, (consent?.generation ?? -1) + 1);
          break;
        case 'ask': {
          const asked = must(consent);
          if (call.signed !== undefined) {
            await this.present(asked, call.signed);
            break;
          }
          const decision = await this.ask(asked, Math.max(0, until - this.now()), patience.signal);
          if (decision.status !== 'pending') this.take(asked, decision);
          else if (this.now() >= until || patience.signal?.aborted === true)
            return this.required(asked);
          break;
        }
        case 'expire':
          store.expire(must(consent).id);
          break;
        case 'mint':
          await this.mint(must(consent));
          break;
        case 'execute':
          return approved(must(consent));
        case 'tell':
          return must(consent?.result);
      }
    }
  }

  /** The client refused on its person's behalf, or gave up: withdraws the question unless it was answered already. */
  async refusedByClient(call: ToolCall, consentId: string): Promise<Outcome> {
    const declined: Outcome = { kind: 'Declined', by: 'client', consentId };
    const consent = this.ports.store.byId(consentId);
    if (consent?.lookup !== this.ports.ids.lookup(call) || consent.state !== 'pending')
      return declined;
    const decision = await this.ports.page.cancel(consentId);
    if (decision.status !== 'cancelled') {
      this.take(consent, decision);
      return declined;
    }
    const { store } = this.ports;
    store.settle(consentId, declined, this.now(), {
      event: 'consent.declined-by-client',
      data: { consent: consentId },
    });
    return declined;
  }

  /** Writes the final word of a consent, tells the page, and returns it. */
  settle(consent: Consent, result: Outcome, outcomeDigest?: string): Outcome {
    const { store } = this.ports;
    const data = {
      consent: consent.id,
      ...(consent.jti === undefined ? {} : { jti: consent.jti }),
    };
    const entry =
      result.kind === 'Refused'
        ? ({
            event: 'call.refused',
            data: { ...data, code: result.code, layer: result.layer },
          } as const)
        : ({
            event: 'call.executed',
            data: { ...data, status: result.kind, outcome_digest: outcomeDigest },
          } as const);
    const won = store.settle(consent.id, result, this.now(), entry);
    if (won) this.report(consent.id, reportOf(result, this.now()));
    return store.byId(consent.id)?.result ?? result;
  }

  /** The caller has been told the result. */
  acknowledge(consentId: string): void {
    this.ports.store.markTold(consentId);
  }

  /**
   * The consent a call has waited for or refers to, until it expires. What becomes of it is the call's answer even if
   * another call was told it first: only a call that came afterwards is a new wish.
   */
  private followed(id: string | undefined, lookup: string): Consent | undefined {
    const consent = id === undefined ? undefined : this.ports.store.byId(id);
    return consent?.lookup === lookup && consent.state !== 'expired' ? consent : undefined;
  }

  private async open(
    call: ToolCall,
    policy: ToolPolicy,
    tool: ToolDefinition,
    lookup: string,
    generation: number,
  ): Promise<void> {
    const { store, ids, rate, page, terms } = this.ports;
    if (store.pendingCount(call.caller, this.now()) >= MAX_PENDING_PER_CALLER) {
      throw new Refusal('TooManyConsents', 'dispatcher');
    }
    rate.take(call.caller, call.chain);
    const id = ids.consent(call, generation);
    const proposal = propose(call, id, policy, shownOf(tool), terms, this.now());
    // Opened by another process in the meantime: then its proposal is the one to put before the approver.
    if (store.open(lookup, generation, proposal)) await page.propose(proposal);
  }

  /** The page's decision. A page that lost the proposal, or never got it, is given it again. */
  private async ask(
    consent: Consent,
    waitSeconds: number,
    signal?: AbortSignal,
  ): Promise<Decision> {
    const { page } = this.ports;
    try {
      return await page.decision(consent.id, Math.min(waitSeconds, LONG_POLL_S), signal);
    } catch (error) {
      if (signal?.aborted === true) return { id: consent.id, status: 'pending' };
      if (!(error instanceof Refusal) || error.code !== 'NotFound') throw error;
    }
    if (this.now() >= consent.exp) return { id: consent.id, status: 'expired' };
    return page.propose(consent.proposal);
  }

  /**
   * A signature that came with the call instead of through the page. Nothing is decided by one that the vault does not
   * accept: the page stays open for the real one. @throws Refusal `PayloadDriftAtMint`, and what the vault refuses with
   */
  private async present(consent: Consent, signed: SignedPayload): Promise<void> {
    const { store, page, vault } = this.ports;
    if (!jsonEqual(signed.payload, consent.proposal.payload))
      throw new Refusal('PayloadDriftAtMint', 'dispatcher');
    const minted = await this.minting.run(consent.id, () => vault.mint(signed));
    if (!store.approve(consent.id, signed)) return;
    store.minted(consent.id, minted.credential, minted.jti);
    page.cancel(consent.id).catch(() => undefined);
  }

  private take({ id }: Consent, decision: Decision): void {
    const { store } = this.ports;
    const consent = must(store.byId(id));
    if (consent.state !== 'pending') return;
    if (decision.status === 'approved' && decision.signed !== undefined)
      store.approve(id, decision.signed);
    else if (decision.status === 'expired') store.expire(id);
    else if (decision.status === 'declined') {
      const reason = decision.reason === undefined ? {} : { reason: decision.reason };
      store.settle(id, { kind: 'Declined', by: 'approver', consentId: id, ...reason }, this.now(), {
        event: 'consent.decided',
        data: { consent: id, status: 'declined', approver: consent.proposal.payload.approver_id },
      });
    } else {
      store.settle(id, { kind: 'Declined', by: 'client', consentId: id }, this.now(), {
        event: 'consent.declined-by-client',
        data: { consent: id },
      });
    }
  }

  private async mint(consent: Consent): Promise<void> {
    const signed = must(consent.signed);
    try {
      const minted = await this.minting.run(consent.id, () => this.ports.vault.mint(signed));
      if (this.ports.store.minted(consent.id, minted.credential, minted.jti)) {
        this.report(consent.id, { state: 'minted', at: this.now() });
      }
    } catch (error) {
      if (!(error instanceof Refusal) || !isFinal(error.code)) throw error;
      this.settle(consent, refusedBy(error, consent.id));
    }
  }

  private required(consent: Consent): ApprovalRequired {
    const { id, exp, proposal } = consent;
    const url = `${this.ports.pageOrigin}/consents/${id}`;
    return {
      kind: 'ApprovalRequired',
      consentId: id,
      url,
      message: proposal.payload.binding_message,
      exp,
      payload: proposal.payload,
    };
  }

  /** The page only shows it; losing a report loses nothing. */
  private report(id: string, outcome: OutcomeReport): void {
    this.ports.page.report(id, outcome).catch(() => undefined);
  }

  private now(): number {
    return Math.floor(this.ports.clock() / 1000);
  }
}

function approved(consent: Consent): Approved {
  return {
    kind: 'Approved',
    consent,
    credential: must(consent.credential),
    jti: must(consent.jti),
    signed: must(consent.signed),
  };
}

function reportOf(result: Outcome, at: number): OutcomeReport {
  if (result.kind === 'Success') return { state: 'success', at };
  if (result.kind === 'Failed') return { state: 'failure', at };
  const code = result.kind === 'Refused' ? result.code : result.kind;
  return { state: code === 'ExecutionIndeterminate' ? 'indeterminate' : 'refused', code, at };
}

/** A member the state guarantees (see the table in store/database.ts). */
function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a consent lacks a member its state requires');
  return value;
}
