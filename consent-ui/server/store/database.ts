import Database from 'better-sqlite3';
import { chmodSync } from 'node:fs';

/** Opens the consent page's database: WAL, every commit on disk before it is answered, readable by its owner only. */
export function openDatabase(file: string): Database.Database {
  const db = new Database(file);
  chmodSync(file, 0o600);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('busy_timeout = 5000');
  db.exec(SCHEMA);
  return db;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS consent (
  id          TEXT PRIMARY KEY,
  proposer    TEXT NOT NULL,            -- client_id of the service that proposed it
  approver_id TEXT NOT NULL,
  exp         INTEGER NOT NULL,         -- POSIX seconds, as every time in this table
  proposal    TEXT NOT NULL,            -- JSON, as it came
  proposed_at INTEGER NOT NULL,
  status      TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'declined', 'expired', 'cancelled')),
  decided_at  INTEGER,
  signature   TEXT,                     -- JSON; present exactly when approved
  reason      TEXT,
  outcome     TEXT,                     -- JSON; what the bridge reported afterwards
  CHECK ((status = 'approved') = (signature IS NOT NULL)),
  CHECK ((status = 'pending') = (decided_at IS NULL))
) STRICT;
CREATE INDEX IF NOT EXISTS consent_by_approver ON consent (approver_id, proposed_at);
CREATE INDEX IF NOT EXISTS consent_by_exp ON consent (exp);
CREATE INDEX IF NOT EXISTS consent_pending_by_exp ON consent (exp) WHERE status = 'pending';

CREATE TABLE IF NOT EXISTS session (
  hash        BLOB PRIMARY KEY,         -- SHA-256 of the cookie's value; the value itself is never stored
  exp         INTEGER NOT NULL,
  approver_id TEXT NOT NULL,
  key_id      TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS session_by_exp ON session (exp);

CREATE TABLE IF NOT EXISTS record (
  seq   INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  event TEXT NOT NULL,
  data  TEXT NOT NULL                   -- JSON
) STRICT;
CREATE TRIGGER IF NOT EXISTS record_is_append_only BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
CREATE TRIGGER IF NOT EXISTS record_is_kept BEFORE DELETE ON record
WHEN OLD.at_ms > (unixepoch() - 2592000) * 1000
BEGIN SELECT RAISE(ABORT, 'record entries are kept for 30 days'); END;
`;
