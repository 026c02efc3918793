import type { Database, Statement } from 'better-sqlite3';

interface Row {
  readonly user_handle: Buffer;
}

/** WebAuthn user handles: random (WebAuthn L3 section 14.6.1), and the same for all keys of one approver. */
export class UserHandles {
  readonly #insert: Statement<[string, Buffer]>;
  readonly #find: Statement<[string], Row>;

  constructor(db: Database) {
    this.#insert = db.prepare('INSERT INTO approver VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#find = db.prepare('SELECT user_handle FROM approver WHERE approver_id = ?');
  }

  /** The approver's handle; `fresh` becomes it if there is none. */
  of(approverId: string, fresh: Buffer): Buffer {
    this.#insert.run(approverId, fresh);
    return this.find(approverId) ?? fresh;
  }

  /** The approver's handle, if they were ever invited to enrol a passkey. */
  find(approverId: string): Buffer | undefined {
    return this.#find.get(approverId)?.user_handle;
  }
}
