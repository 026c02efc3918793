/** One SQLite file of this server. Other domains open theirs with code of their own, on purpose. */
import Database from 'better-sqlite3';
import { closeSync, openSync } from 'node:fs';

export type Store = Database.Database;

/**
 * Opens (and creates, readable by the owner alone) a database whose commits are on disk before they return, and which
 * several processes may write: a writer waits up to 5 s for its turn.
 */
export function openStore(file: string, schema: string): Store {
  // SQLite gives its -wal and -shm files the mode of the database file.
  closeSync(openSync(file, 'a', 0o600));
  const store = new Database(file, { timeout: 5000 });
  store.pragma('journal_mode = WAL');
  store.pragma('synchronous = FULL');
  store.transaction(() => store.exec(schema)).immediate();
  return store;
}
