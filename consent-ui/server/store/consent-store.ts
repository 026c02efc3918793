import type Database from 'better-sqlite3';
import type { Signature } from '../../../src/contract/payload.js';
import type { DecisionStatus, OutcomeReport, Proposal } from '../../../src/contract/wire.js';
import type { ConsentUiRecord } from '../record.js';

/** A consent as it is stored. Times are POSIX seconds. */
export interface StoredConsent {
  readonly id: string;
  readonly proposer: string;
  readonly proposal: Proposal;
  readonly proposedAt: number;
  readonly status: DecisionStatus;
  readonly decidedAt: number | undefined;
  readonly signature: Signature | undefined;
  readonly reason: string | undefined;
  readonly outcome: OutcomeReport | undefined;
}

/** A final state that somebody chose. Expiry is the one nobody chooses. */
export type Choice =
  | { readonly status: 'approved'; readonly signature: Signature; readonly hash: string }
  | { readonly status: 'declined'; readonly reason: string | undefined }
  | { readonly status: 'cancelled' };

interface Row {
  readonly id: string;
  readonly proposer: string;
  readonly proposal: string;
  readonly proposed_at: number;
  readonly status: DecisionStatus;
  readonly decided_at: number | null;
  readonly signature: string | null;
  readonly reason: string | null;
  readonly outcome: string | null;
}

/**
 * Consents on disk. Every change is one transaction together with its entry in the record, and is durable when the
 * method returns. A final state is written by one conditional UPDATE, so the first write wins between any processes.
 */
export class ConsentStore {
  private readonly selectRow;
  private readonly selectByApprover;
  private readonly countRows;
  private readonly insertRow;
  private readonly updatePending;
  private readonly selectDue;
  private readonly updateOutcome;
  private readonly deleteBefore;

  constructor(
    private readonly db: Database.Database,
    private readonly record: ConsentUiRecord,
  ) {
    this.selectRow = db.prepare<[string], Row>('SELECT * FROM consent WHERE id = ?');
    this.selectByApprover = db.prepare<[string, number], Row>(
      'SELECT * FROM consent WHERE approver_id = ? ORDER BY proposed_at DESC, id LIMIT ?',
    );
    this.countRows = db.prepare<[], number>('SELECT count(*) FROM consent').pluck();
    this.insertRow = db.prepare(
      `INSERT INTO consent (id, proposer, approver_id, exp, proposal, proposed_at, status)
       VALUES (@id, @proposer, @approver_id, @exp, @proposal, @proposed_at, 'pending')
       ON CONFLICT (id) DO NOTHING`,
    );
    this.updatePending = db.prepare(
      `UPDATE consent SET status = @status, decided_at = @now, signature = @signature, reason = @reason
       WHERE id = @id AND status = 'pending' AND exp > @now`,
    );
    this.selectDue = db.prepare<[number], { id: string }>(
      `UPDATE consent SET status = 'expired', decided_at = exp WHERE status = 'pending' AND exp <= ? RETURNING id`,
    );
    this.updateOutcome = db.prepare('UPDATE consent SET outcome = ? WHERE id = ?');
    this.deleteBefore = db.prepare('DELETE FROM consent WHERE exp < ?');
  }

  find(id: string): StoredConsent | undefined {
    const row = this.selectRow.get(id);
    return row === undefined ? undefined : consentOf(row);
  }

  /** This approver's consents, newest first. */
  ofApprover(approverId: string, limit: number): readonly StoredConsent[] {
    return this.selectByApprover.all(approverId, limit).map(consentOf);
  }

  count(): number {
    return this.countRows.get() ?? 0;
  }

  /** True when the id was free. `hash` is the SHA-256 of the canonical bytes, base64url. */
  insert(proposer: string, proposal: Proposal, hash: string, now: number): boolean {
    const { payload, requested_by } = proposal;
    return this.change(() => {
      const row = {
        id: payload.nonce,
        proposer,
        approver_id: payload.approver_id,
        exp: payload.exp,
        proposal: JSON.stringify(proposal),
        proposed_at: now,
      };
      if (this.insertRow.run(row).changes === 0) return false;
      this.record.append('consent.proposed', {
        consent_id: payload.nonce,
        approver_id: payload.approver_id,
        client_id: requested_by.client_id,
        subject: requested_by.subject,
        hash,
        exp: payload.exp,
      });
      return true;
    });
  }

  /** True when the consent was pending and its `exp` still to come at `now`, and so has this final state from here on. */
  decide(id: string, choice: Choice, now: number): boolean {
    return this.change(() => {
      const signature = choice.status === 'approved' ? JSON.stringify(choice.signature) : null;
      const reason = choice.status === 'declined' ? (choice.reason ?? null) : null;
      const { changes } = this.updatePending.run({
        id,
        status: choice.status,
        now,
        signature,
        reason,
      });
      if (changes === 0) return false;
      this.record.append(`consent.${choice.status}`, {
        consent_id: id,
        ...(choice.status === 'approved'
          ? { key_id: choice.signature.key_id, scheme: choice.signature.scheme, hash: choice.hash }
          : {}),
      });
      return true;
    });
  }

  /** Writes `expired` wherever the deadline has passed unanswered, and returns which. */
  expireDue(now: number): readonly string[] {
    return this.change(() => {
      const ids = this.selectDue.all(now).map(({ id }) => id);
      for (const id of ids) this.record.append('consent.expired', { consent_id: id });
      return ids;
    });
  }

  setOutcome(id: string, outcome: OutcomeReport): void {
    this.change(() => {
      this.updateOutcome.run(JSON.stringify(outcome), id);
      this.record.append('consent.outcome', { consent_id: id, ...outcome });
    });
  }

  /** Forgets consents whose `exp` lies before `now`. */
  sweep(before: number): void {
    this.deleteBefore.run(before);
  }

  private change<T>(work: () => T): T {
    return this.db.transaction(work).immediate();
  }
}

/** Rows are our own writing, validated before they were stored. */
function consentOf(row: Row): StoredConsent {
  return {
    id: row.id,
    proposer: row.proposer,
    proposal: JSON.parse(row.proposal) as Proposal,
    proposedAt: row.proposed_at,
    status: row.status,
    decidedAt: row.decided_at ?? undefined,
    signature: row.signature === null ? undefined : (JSON.parse(row.signature) as Signature),
    reason: row.reason ?? undefined,
    outcome: row.outcome === null ? undefined : (JSON.parse(row.outcome) as OutcomeReport),
  };
}
