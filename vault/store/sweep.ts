import type { Database } from 'better-sqlite3';

/** Seconds a used row outlives what it stands for, in case clocks differ a little. */
const GRACE = 60;

/** Deletes single-use rows whose time is over: one range delete per table. `now` in POSIX seconds. */
export function sweepUsed(db: Database, now: number): void {
  for (const table of ['used_signature', 'observed_signature', 'spent_credential']) {
    db.prepare(`DELETE FROM ${table} WHERE exp < ?`).run(now - GRACE);
  }
}
