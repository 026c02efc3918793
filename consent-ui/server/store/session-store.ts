import type Database from 'better-sqlite3';

export interface StoredSession {
  readonly approver_id: string;
  readonly key_id: string;
  /** POSIX seconds. */
  readonly exp: number;
}

/** Rows of `session`, by the SHA-256 of the cookie's value. */
export class SessionStore {
  private readonly insertRow;
  private readonly selectRow;
  private readonly deleteRow;
  private readonly deleteBefore;

  constructor(db: Database.Database) {
    this.insertRow = db.prepare('INSERT INTO session VALUES (@hash, @exp, @approver_id, @key_id)');
    this.selectRow = db.prepare<[Buffer, number], StoredSession>(
      'SELECT approver_id, key_id, exp FROM session WHERE hash = ? AND exp > ?',
    );
    this.deleteRow = db.prepare('DELETE FROM session WHERE hash = ?');
    this.deleteBefore = db.prepare('DELETE FROM session WHERE exp <= ?');
  }

  insert(hash: Buffer, session: StoredSession): void {
    this.insertRow.run({ hash, ...session });
  }

  /** The session if it has not ended at `now` (POSIX seconds). */
  find(hash: Buffer, now: number): StoredSession | undefined {
    return this.selectRow.get(hash, now);
  }

  /** True when there was such a session. */
  remove(hash: Buffer): boolean {
    return this.deleteRow.run(hash).changes === 1;
  }

  sweep(now: number): void {
    this.deleteBefore.run(now);
  }
}
