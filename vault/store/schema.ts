/**
 * The vault's tables. Rows that only stand for "used" begin their key with the expiry: inserts then append to the tree
 * instead of writing all over it, and a sweep is one range delete (DESIGN section 11).
 */
export const SCHEMA_VERSION = 2;

/** What version 2 adds to version 1. */
export const FORGOTTEN = `
CREATE TABLE forgotten (
  before INTEGER NOT NULL      -- single-use rows with an earlier exp are deleted; POSIX seconds, never goes back
);
INSERT INTO forgotten VALUES (0);
`;

export const SCHEMA = `
${FORGOTTEN}
CREATE TABLE used_signature (
  exp INTEGER NOT NULL,        -- signed deadline, POSIX seconds
  hash BLOB NOT NULL,          -- SHA-256 of the signed bytes
  presentation BLOB NOT NULL,  -- SHA-256 over client, mint id, resource
  jti TEXT NOT NULL,
  iat INTEGER NOT NULL,
  PRIMARY KEY (exp, hash)
) WITHOUT ROWID;

CREATE TABLE observed_signature (
  exp INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (exp, hash)
) WITHOUT ROWID;

CREATE TABLE spent_credential (
  exp INTEGER NOT NULL,
  hash BLOB NOT NULL,          -- SHA-256 of the jti
  PRIMARY KEY (exp, hash)
) WITHOUT ROWID;

CREATE TABLE mint_key (
  key_id TEXT PRIMARY KEY,
  alg TEXT NOT NULL,
  public_jwk TEXT NOT NULL,
  private_jwk TEXT,            -- null once retired
  created_at INTEGER NOT NULL,
  publish_until INTEGER        -- null while active
);
CREATE UNIQUE INDEX one_active_mint_key ON mint_key ((1)) WHERE publish_until IS NULL;

CREATE TABLE approver (
  approver_id TEXT PRIMARY KEY,
  user_handle BLOB NOT NULL    -- random: a user handle must not be derived from personal data
);

CREATE TABLE approver_key (
  key_id TEXT PRIMARY KEY,     -- so one key is never two people's
  approver_id TEXT NOT NULL,
  scheme TEXT NOT NULL,
  public_jwk TEXT NOT NULL,
  cose_key BLOB,               -- as the authenticator gave it, webauthn only
  credential_id TEXT UNIQUE,   -- webauthn only
  counter INTEGER NOT NULL,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
);
CREATE INDEX approver_key_by_approver ON approver_key (approver_id);

CREATE TABLE invite (
  hash BLOB PRIMARY KEY,
  approver_id TEXT NOT NULL,
  exp INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE ceremony (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,          -- enrolment | sign-in
  challenge TEXT NOT NULL,
  invite_hash BLOB,            -- enrolment only
  exp INTEGER NOT NULL
);
CREATE INDEX ceremony_by_exp ON ceremony (kind, exp);

CREATE TABLE record (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  event TEXT NOT NULL,
  data TEXT NOT NULL
);
CREATE TRIGGER record_is_not_changed BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
CREATE TRIGGER record_is_kept BEFORE DELETE ON record WHEN OLD.at_ms > (unixepoch() - 30 * 86400) * 1000
BEGIN SELECT RAISE(ABORT, 'the record is kept for 30 days'); END;
`;
