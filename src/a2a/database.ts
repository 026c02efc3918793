import type Database from 'better-sqlite3';
import { join } from 'node:path';
import { openDatabase } from '../store/database.js';

/** The agent's own database, beside the bridge's: tasks it works on, and calls it made to other agents. */
export function openA2aDatabase(dataDir: string): Database.Database {
  return openDatabase(join(dataDir, 'a2a.db'), SCHEMA);
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS task (
  id         TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,             -- JSON [subject, client_id] of the caller
  context_id TEXT NOT NULL,
  state      INTEGER NOT NULL,          -- TaskState
  changed_at INTEGER NOT NULL,          -- milliseconds
  body       TEXT NOT NULL,             -- JSON, the A2A task
  work       TEXT                       -- JSON, the call behind it and where it stands
);
CREATE INDEX IF NOT EXISTS task_by_owner ON task (owner, changed_at);
CREATE INDEX IF NOT EXISTS task_by_state ON task (state);

CREATE TABLE IF NOT EXISTS push (
  task_id TEXT NOT NULL,
  id      TEXT NOT NULL,
  owner   TEXT NOT NULL,
  wire    TEXT NOT NULL,                -- A2A version it was registered over
  config  TEXT NOT NULL,                -- JSON
  PRIMARY KEY (task_id, id)
);

CREATE TABLE IF NOT EXISTS remote_call (
  id         TEXT PRIMARY KEY,          -- what the caller here knows it by
  lookup     TEXT NOT NULL,
  generation INTEGER NOT NULL,
  agent      TEXT NOT NULL,
  subject    TEXT NOT NULL,
  state      TEXT NOT NULL,             -- sent, parked, settled
  link       TEXT NOT NULL,             -- this agent's own statement
  task_id    TEXT,                      -- the remote's; may hold any characters
  context_id TEXT,
  ask        TEXT,                      -- JSON
  result     TEXT,                      -- JSON, what the caller is told in the end
  changed_at INTEGER NOT NULL,          -- milliseconds
  told       INTEGER NOT NULL DEFAULT 0,
  UNIQUE (lookup, generation)
);
`;
