import type { Database, Statement } from 'better-sqlite3';

interface InviteRow {
  readonly approver_id: string;
}

/** Invitations to enrol, kept as hashes: who reads the database cannot use them. Times in POSIX seconds. */
export class Invites {
  readonly #insert: Statement<[Buffer, string, number]>;
  readonly #find: Statement<[Buffer, number], InviteRow>;
  readonly #spend: Statement<[Buffer, number], InviteRow>;
  readonly #sweep: Statement<[number]>;

  constructor(db: Database) {
    this.#insert = db.prepare('INSERT INTO invite VALUES (?, ?, ?)');
    this.#find = db.prepare('SELECT approver_id FROM invite WHERE hash = ? AND exp > ?');
    this.#spend = db.prepare('DELETE FROM invite WHERE hash = ? AND exp > ? RETURNING approver_id');
    this.#sweep = db.prepare('DELETE FROM invite WHERE exp <= ?');
  }

  add(hash: Buffer, approverId: string, exp: number): void {
    this.#insert.run(hash, approverId, exp);
  }

  /** Whom the invite is for, if it is good. */
  approverOf(hash: Buffer, now: number): string | undefined {
    return this.#find.get(hash, now)?.approver_id;
  }

  /** Whom the invite was for, if it was good; it is not any more. */
  spend(hash: Buffer, now: number): string | undefined {
    return this.#spend.get(hash, now)?.approver_id;
  }

  sweep(now: number): void {
    this.#sweep.run(now);
  }
}
