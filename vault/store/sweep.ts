import type { Database, Statement } from 'better-sqlite3';
import { refuse } from '../refuse.js';

/** Seconds a used row outlives what it stands for: a clock may be set back by an hour and everything goes on. */
const KEPT = 2 * 3600;
const TABLES = ['used_signature', 'observed_signature', 'spent_credential'];

/**
 * Forgets single-use rows whose time is over, and remembers how far: were the clock set back further than that, what is
 * forgotten would be unexpired and unused again. Times in POSIX seconds; each method belongs in a transaction.
 */
export class Sweep {
  readonly #deletes: readonly Statement<[number]>[];
  readonly #advance: Statement<[number]>;
  readonly #before: Statement<[], number>;

  constructor(db: Database) {
    this.#deletes = TABLES.map((table) => db.prepare(`DELETE FROM ${table} WHERE exp < ?`));
    this.#advance = db.prepare('UPDATE forgotten SET before = max(before, ?)');
    this.#before = db.prepare<[], number>('SELECT before FROM forgotten').pluck();
  }

  /** One range delete per table. */
  run(now: number): void {
    this.#advance.run(now - KEPT);
    for (const statement of this.#deletes) statement.run(now - KEPT);
  }

  /** @throws Refusal CredentialExpired if nobody knows any more what was used with this deadline. */
  checkRemembered(exp: number): void {
    if (exp < (this.#before.get() ?? 0)) throw refuse('CredentialExpired', { detail: 'swept' });
  }
}
