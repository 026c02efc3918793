import type Database from 'better-sqlite3';
import type { RecordEntry } from '../../src/contract/wire.js';
import type { Clock } from './clock.js';

/** What the consent page's record says; exactly one entry for each. Ids, codes, layers and digests, never args, tokens or signatures. */
export type ConsentUiEvent =
  | 'approver.enrolled'
  | 'approver.signed_in'
  | 'approver.signed_out'
  | 'consent.proposed'
  | 'consent.approved'
  | 'consent.declined'
  | 'consent.expired'
  | 'consent.cancelled'
  | 'consent.outcome'
  | 'request.refused'
  | 'request.failed';

/** A minute more than the 30 days the database insists on, which counts in whole seconds. */
const KEPT_MS = 30 * 86_400_000 + 60_000;
const PAGE_ROWS = 10_000;

interface Row {
  readonly seq: number;
  readonly at_ms: number;
  readonly event: string;
  readonly data: string;
}

/** The append-only log of this trust domain. Everything that is written to it goes through `append`. */
export class ConsentUiRecord {
  private readonly insert;
  private readonly select;
  private readonly remove;

  constructor(
    db: Database.Database,
    private readonly clock: Clock,
  ) {
    this.insert = db.prepare('INSERT INTO record (at_ms, event, data) VALUES (?, ?, ?)');
    this.select = db.prepare<[number], Row>(
      `SELECT seq, at_ms, event, data FROM record WHERE seq > ? ORDER BY seq LIMIT ${PAGE_ROWS}`,
    );
    this.remove = db.prepare('DELETE FROM record WHERE at_ms < ?');
  }

  /** Adds one entry. Called inside the transaction of the change it describes, where there is one. */
  append(event: ConsentUiEvent, data: Readonly<Record<string, unknown>>): void {
    this.insert.run(this.clock(), event, JSON.stringify(data));
  }

  /** Up to 10,000 entries after `seq`, oldest first. */
  entriesAfter(seq: number): readonly RecordEntry[] {
    return this.select.all(seq).map((row) => ({
      ...(JSON.parse(row.data) as Record<string, unknown>),
      seq: row.seq,
      at_ms: row.at_ms,
      domain: 'consent-ui',
      event: row.event,
    }));
  }

  /** Drops entries older than 30 days. They are kept that long by a trigger, whoever holds the handle. */
  sweep(): void {
    this.remove.run(this.clock() - KEPT_MS);
  }
}
