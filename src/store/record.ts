import type Database from 'better-sqlite3';
import type { RecordEntry } from '../contract/wire.js';

/** What the bridge's record says; exactly one entry for each. Ids, codes, layers and digests only. */
export type BridgeEvent =
  | 'scope.refused'
  | 'consent.raised'
  | 'consent.decided'
  | 'consent.declined-by-client'
  | 'credential.minted'
  | 'call.refused'
  | 'call.executed'
  | 'token.issued'
  | 'token.revoked'
  | 'task.opened'
  | 'task.ended'
  | 'hop.refused'
  | 'remote.asked'
  | 'remote.settled';

export type AppendRecord = (event: BridgeEvent, data: Readonly<Record<string, unknown>>) => void;

export interface BridgeRecord {
  readonly append: AppendRecord;
  /** Entries after `seq`, oldest first. */
  entriesAfter(seq: number): readonly RecordEntry[];
  /** Removes entries older than `ms` before now. */
  sweep(beforeMs: number): void;
}

interface Row {
  readonly seq: number;
  readonly at_ms: number;
  readonly event: string;
  readonly data: string;
}

export function bridgeRecord(db: Database.Database, clock: () => number): BridgeRecord {
  const insert = db.prepare('INSERT INTO record (at_ms, event, data) VALUES (?, ?, ?)');
  const select = db.prepare<[number], Row>(
    'SELECT seq, at_ms, event, data FROM record WHERE seq > ? ORDER BY seq LIMIT 10000',
  );
  const remove = db.prepare('DELETE FROM record WHERE at_ms < ?');
  return {
    append: (event, data) => void insert.run(clock(), event, JSON.stringify(data)),
    entriesAfter: (seq) =>
      select.all(seq).map((row) => ({
        ...(JSON.parse(row.data) as Record<string, unknown>),
        seq: row.seq,
        at_ms: row.at_ms,
        domain: 'bridge',
        event: row.event,
      })),
    sweep: (beforeMs) => void remove.run(beforeMs),
  };
}
