/** This domain's record: append only, one entry per event. `append` is the one place a hash chain would hook into. */
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { RecordEntry } from '../../src/contract/wire.js';
import type { Store } from './open-store.js';

/** Rows younger than 30 days cannot be removed, rows cannot be changed; the database itself says no. */
export const RECORD_SCHEMA = `
  CREATE TABLE IF NOT EXISTS record (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    data TEXT NOT NULL
  );
  CREATE TRIGGER IF NOT EXISTS record_is_append_only BEFORE UPDATE ON record
    BEGIN SELECT RAISE(ABORT, 'the record is append only'); END;
  CREATE TRIGGER IF NOT EXISTS record_keeps_30_days BEFORE DELETE ON record
    WHEN old.at_ms > (unixepoch() - 2592000) * 1000
    BEGIN SELECT RAISE(ABORT, 'the record is kept for 30 days'); END;
`;

/** What is kept before the sweep may take it. */
const RETENTION_MS = 400 * 24 * 3600 * 1000;

interface Row {
  readonly seq: number;
  readonly at_ms: number;
  readonly event: string;
  readonly data: string;
}

export class RecordLog {
  readonly #insert;
  readonly #after;
  readonly #sweep;

  constructor(store: Store) {
    this.#insert = store.prepare<[number, string, string]>(
      'INSERT INTO record (at_ms, event, data) VALUES (?, ?, ?)',
    );
    this.#after = store.prepare<[number], Row>('SELECT * FROM record WHERE seq > ? ORDER BY seq');
    this.#sweep = store.prepare<[number]>('DELETE FROM record WHERE at_ms < ?');
  }

  /**
   * Call inside the transaction of the change the entry describes.
   * @param data ids, codes, hashes and key ids; never a token, a signature, a secret or arguments
   */
  append(atMs: number, event: string, data: JsonObject): void {
    this.#insert.run(atMs, event, JSON.stringify(data));
  }

  /** Entries with a larger `seq`, oldest first. */
  *after(seq: number): Generator<RecordEntry> {
    for (const row of this.#after.iterate(seq)) {
      const data: unknown = JSON.parse(row.data);
      const members = isJsonObject(data) ? data : {};
      yield { ...members, seq: row.seq, at_ms: row.at_ms, domain: 'rs', event: row.event };
    }
  }

  sweep(nowMs: number): void {
    this.#sweep.run(nowMs - RETENTION_MS);
  }
}
