import type { Store } from './open-store.js';

interface Job {
  /** Writes inside the open transaction; returns what to do once it has committed. */
  readonly write: () => () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Lets writes that arrive together share one transaction, and so one fsync (DESIGN section 11). A promise settles only
 * after the COMMIT its write is part of. Each write has a savepoint: one that throws takes back only its own rows.
 */
export class GroupCommit {
  #queue: Job[] = [];
  /** Made once: better-sqlite3 prepares a wrapper of its own for each function it is given. */
  readonly #savepoint;
  readonly #writeAll;

  constructor(private readonly store: Store) {
    // Inside a transaction this one is a savepoint.
    this.#savepoint = store.transaction((write: () => void) => write());
    this.#writeAll = store.transaction((jobs: readonly Job[]) => jobs.map((job) => job.write()));
  }

  /** @returns what `write` returned; rejects with what it threw, or with the database's error if nothing was committed */
  run<T>(write: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        write: () => {
          const values: T[] = [];
          try {
            this.#savepoint(() => values.push(write()));
            return () => {
              for (const value of values) resolve(value);
            };
          } catch (error) {
            // A full disk ends the whole transaction: what follows must not commit by itself.
            if (!this.store.inTransaction) throw error;
            return () => reject(asError(error));
          }
        },
        fail: (error) => reject(asError(error)),
      });
      if (this.#queue.length === 1) setImmediate(() => this.#commit());
    });
  }

  #commit(): void {
    const jobs = this.#queue;
    this.#queue = [];
    try {
      for (const done of this.#writeAll.immediate(jobs)) done();
    } catch (error) {
      for (const job of jobs) job.fail(error);
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
