/** Bare SQLite commits with fsync (WAL, synchronous FULL) of rows like ours: one each, and 64 to a transaction. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { drive } from './measure.mjs';

export function openBareStore(directory) {
  const db = new SQLite(join(directory, 'bare.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE used (exp INTEGER, hash BLOB, PRIMARY KEY (exp, hash)) WITHOUT ROWID');
  const insert = db.prepare('INSERT INTO used VALUES (?, ?)');
  const one = () => insert.run(Math.floor(Date.now() / 1000), randomBytes(32));
  const group = db.transaction(() => {
    for (let i = 0; i < 64; i++) one();
  });
  const times = (calls) => Array.from({ length: calls });
  return {
    /** Milliseconds per commit of one row. */
    alone: (calls) => drive(times(calls), 1, one),
    /** Milliseconds per commit of 64 rows. */
    grouped: (calls) => drive(times(calls), 1, () => group.immediate()),
    close: () => db.close(),
  };
}
