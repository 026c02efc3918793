import type Database from 'better-sqlite3';
import type { SignedPayload } from '../contract/payload.js';
import type { Caller, Proposal } from '../contract/wire.js';
import type { Outcome } from '../dispatcher/outcome.js';
import type { AppendRecord, BridgeEvent } from './record.js';

/** `pending -> approved -> minted -> settled`, or `pending -> settled | expired`. The first write of each step wins. */
export type ConsentState = 'pending' | 'approved' | 'minted' | 'settled' | 'expired';

export interface Consent {
  readonly id: string;
  readonly lookup: string;
  readonly generation: number;
  readonly subject: string;
  readonly proposal: Proposal;
  readonly exp: number;
  readonly state: ConsentState;
  readonly signed?: SignedPayload;
  readonly credential?: string;
  readonly jti?: string;
  /** What the caller is told; present exactly when settled. */
  readonly result?: Outcome;
  /** When it was settled, POSIX seconds. */
  readonly decidedAt?: number;
  /** Whether an answer with the result has been handed to the caller. */
  readonly told: boolean;
}

interface Row {
  readonly id: string;
  readonly lookup: string;
  readonly generation: number;
  readonly subject: string;
  readonly proposal: string;
  readonly exp: number;
  readonly state: ConsentState;
  readonly signed: string | null;
  readonly credential: string | null;
  readonly jti: string | null;
  readonly result: string | null;
  readonly decided_at: number | null;
  readonly told: number;
}

interface Entry {
  readonly event: BridgeEvent;
  readonly data: Readonly<Record<string, unknown>>;
}

export class ConsentStore {
  private readonly statements;

  constructor(
    private readonly db: Database.Database,
    private readonly record: AppendRecord,
  ) {
    this.statements = {
      latest: db.prepare<[string], Row>(
        'SELECT * FROM consent WHERE lookup = ? ORDER BY generation DESC LIMIT 1',
      ),
      byId: db.prepare<[string], Row>('SELECT * FROM consent WHERE id = ?'),
      insert: db.prepare(
        `INSERT INTO consent (id, lookup, generation, subject, client_id, proposal, exp, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, 'pending') ON CONFLICT DO NOTHING`,
      ),
      pending: db.prepare<[string, string, number], { n: number }>(
        `SELECT count(*) AS n FROM consent WHERE subject = ? AND client_id = ? AND state = 'pending' AND exp > ?`,
      ),
      approve: db.prepare(
        `UPDATE consent SET state = 'approved', signed = ? WHERE id = ? AND state = 'pending'`,
      ),
      minted: db.prepare(
        `UPDATE consent SET state = 'minted', credential = ?, jti = ? WHERE id = ? AND state = 'approved'`,
      ),
      settle: db.prepare(
        `UPDATE consent SET state = 'settled', result = ?, decided_at = ? WHERE id = ? AND state NOT IN ('settled', 'expired')`,
      ),
      expire: db.prepare(
        `UPDATE consent SET state = 'expired' WHERE id = ? AND state IN ('pending', 'approved')`,
      ),
      told: db.prepare(`UPDATE consent SET told = 1 WHERE id = ? AND state = 'settled'`),
      sweep: db.prepare('DELETE FROM consent WHERE exp < ?'),
    };
  }

  /** The newest generation of a call. */
  latest(lookup: string): Consent | undefined {
    return consentOf(this.statements.latest.get(lookup));
  }

  byId(id: string): Consent | undefined {
    return consentOf(this.statements.byId.get(id));
  }

  /** How many of this caller's consents still wait for a person. */
  pendingCount(caller: Caller, now: number): number {
    return this.statements.pending.get(caller.subject, caller.client_id, now)?.n ?? 0;
  }

  /** False when another process opened the same generation first. */
  open(lookup: string, generation: number, proposal: Proposal): boolean {
    const { payload, requested_by } = proposal;
    return this.once(
      () =>
        this.statements.insert.run(
          payload.nonce,
          lookup,
          generation,
          requested_by.subject,
          requested_by.client_id,
          JSON.stringify(proposal),
          payload.exp,
        ),
      {
        event: 'consent.raised',
        data: {
          consent: payload.nonce,
          tool: payload.cmd,
          subject: requested_by.subject,
          client_id: requested_by.client_id,
          exp: payload.exp,
        },
      },
    );
  }

  approve(id: string, signed: SignedPayload): boolean {
    return this.once(() => this.statements.approve.run(JSON.stringify(signed), id), {
      event: 'consent.decided',
      data: {
        consent: id,
        status: 'approved',
        approver: signed.payload.approver_id,
        key_id: signed.signature.key_id,
      },
    });
  }

  minted(id: string, credential: string, jti: string): boolean {
    return this.once(() => this.statements.minted.run(credential, jti, id), {
      event: 'credential.minted',
      data: { consent: id, jti },
    });
  }

  /** Writes the final word and its one record entry. */
  settle(id: string, result: Outcome, at: number, entry: Entry): boolean {
    return this.once(() => this.statements.settle.run(JSON.stringify(result), at, id), entry);
  }

  expire(id: string): boolean {
    return this.once(() => this.statements.expire.run(id), {
      event: 'consent.decided',
      data: { consent: id, status: 'expired' },
    });
  }

  markTold(id: string): void {
    this.statements.told.run(id);
  }

  /** Removes consents whose deadline passed before `exp` (POSIX seconds). */
  sweep(exp: number): void {
    this.statements.sweep.run(exp);
  }

  private once(write: () => { readonly changes: number }, entry: Entry): boolean {
    return this.db
      .transaction(() => {
        const won = write().changes === 1;
        if (won) this.record(entry.event, entry.data);
        return won;
      })
      .immediate();
  }
}

function consentOf(row: Row | undefined): Consent | undefined {
  if (row === undefined) return undefined;
  const { id, lookup, generation, subject, exp, state } = row;
  return {
    ...{ id, lookup, generation, subject, exp, state },
    proposal: JSON.parse(row.proposal) as Proposal,
    ...(row.signed === null ? {} : { signed: JSON.parse(row.signed) as SignedPayload }),
    ...(row.credential === null ? {} : { credential: row.credential }),
    ...(row.jti === null ? {} : { jti: row.jti }),
    ...(row.result === null ? {} : { result: JSON.parse(row.result) as Outcome }),
    ...(row.decided_at === null ? {} : { decidedAt: row.decided_at }),
    told: row.told === 1,
  };
}
