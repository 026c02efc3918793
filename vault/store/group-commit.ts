import type { Database } from 'better-sqlite3';

interface Job {
  /** Runs the work in a savepoint and returns how to settle its promise. */
  readonly attempt: () => () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Concurrent writes share one transaction, and with it one fsync. Each promise resolves only after COMMIT, so what was
 * answered is on disk. Work that throws is undone alone; if the commit fails, all of it is.
 */
export class GroupCommit {
  #queue: Job[] = [];
  readonly #savepoint: (work: () => void) => void;
  readonly #transaction: (jobs: readonly Job[]) => (() => void)[];

  constructor(private readonly db: Database) {
    // Inside a transaction better-sqlite3 makes this one a savepoint.
    this.#savepoint = db.transaction((work: () => void) => work());
    const runAll = db.transaction((jobs: readonly Job[]) => jobs.map((job) => job.attempt()));
    // IMMEDIATE: what the work reads cannot be changed by another process before it writes.
    this.#transaction = (jobs) => runAll.immediate(jobs);
  }

  /** Resolves with what `work` returned, once durable. Rejects with what it threw. `work` must not await. */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#queue.length === 0) setImmediate(() => this.#drain());
      this.#queue.push({ attempt: () => this.#attempt(work, resolve, reject), reject });
    });
  }

  #attempt<T>(
    work: () => T,
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
  ): () => void {
    const results: T[] = [];
    try {
      this.#savepoint(() => results.push(work()));
    } catch (error) {
      // A full disk makes SQLite roll the whole transaction back; nothing after that may count as part of it.
      if (!this.db.inTransaction) throw error;
      return () => reject(error);
    }
    return () => results.forEach(resolve);
  }

  #drain(): void {
    const jobs = this.#queue;
    this.#queue = [];
    try {
      for (const settle of this.#transaction(jobs)) settle();
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
  }
}
