import Database from 'better-sqlite3';
import { chmodSync } from 'node:fs';

/** Opens a database of the bridge, by default its own: WAL, every commit on disk before it is answered, readable by its owner only. */
export function openDatabase(file: string, schema = SCHEMA): Database.Database {
  const db = new Database(file);
  if (file !== ':memory:') chmodSync(file, 0o600);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('busy_timeout = 5000');
  db.exec(schema);
  return db;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS token (
  token_id   TEXT PRIMARY KEY,
  hash       BLOB NOT NULL UNIQUE,      -- SHA-256 of the token; the token itself is never stored
  subject    TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  scopes     TEXT NOT NULL,             -- JSON array
  created_at INTEGER NOT NULL,          -- POSIX seconds, as every time here
  expires_at INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS consent (
  id          TEXT PRIMARY KEY,         -- HMAC over caller, command, args and generation
  lookup      TEXT NOT NULL,            -- the same without the generation: how a retry finds its own
  generation  INTEGER NOT NULL,
  subject     TEXT NOT NULL,
  client_id   TEXT NOT NULL,
  proposal    TEXT NOT NULL,            -- JSON, the frozen proposed action
  exp         INTEGER NOT NULL,
  state       TEXT NOT NULL,
  signed      TEXT,
  credential  TEXT,
  jti         TEXT,
  result      TEXT,                     -- JSON, what the caller is told in the end
  decided_at  INTEGER,
  told        INTEGER NOT NULL DEFAULT 0,
  UNIQUE (lookup, generation)
);
CREATE INDEX IF NOT EXISTS consent_by_caller ON consent (subject, client_id, state);
CREATE INDEX IF NOT EXISTS consent_by_exp ON consent (exp);

CREATE TABLE IF NOT EXISTS record (
  seq   INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  event TEXT NOT NULL,
  data  TEXT NOT NULL                   -- JSON
);
CREATE TRIGGER IF NOT EXISTS record_is_append_only BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
CREATE TRIGGER IF NOT EXISTS record_is_kept BEFORE DELETE ON record
WHEN OLD.at_ms > (unixepoch() - 2592000) * 1000
BEGIN SELECT RAISE(ABORT, 'record entries are kept for 30 days'); END;
`;
