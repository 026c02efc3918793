import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import SQLite from 'better-sqlite3';
import { FORGOTTEN, SCHEMA, SCHEMA_VERSION } from './schema.js';

/**
 * Opens `vault.db` in an existing directory, made private to this user if it is new, with every commit durable when it
 * returns. Any number of processes may have it open.
 * @throws Error if there is no such directory, or the file was written by a newer version.
 */
export function openDatabase(directory: string): Database {
  const path = join(directory, 'vault.db');
  // SQLite gives its -wal and -shm files the mode of the database file.
  closeSync(openSync(path, 'a', 0o600));
  const db = new SQLite(path);
  db.pragma('busy_timeout = 5000');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.transaction(() => {
    create(db);
  }).immediate();
  return db;
}

function create(db: Database): void {
  const version = db.pragma('user_version', { simple: true });
  if (version === SCHEMA_VERSION) return;
  if (version !== 0 && version !== 1) {
    throw new Error(`vault.db has schema ${String(version)}, not ${SCHEMA_VERSION}`);
  }
  db.exec(version === 0 ? SCHEMA : FORGOTTEN);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}
