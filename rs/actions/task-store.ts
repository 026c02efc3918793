/** The example domain's data: a task tracker on a SQLite file of its own. */
import type { Clock } from '../clock.js';
import { openStore } from '../store/open-store.js';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tasks (
    -- AUTOINCREMENT: an id is never given twice, or an approval for a deleted task would delete its successor.
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    notes TEXT,
    done INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
`;

export interface Task {
  /** `t-1`, `t-2`, … */
  readonly id: string;
  readonly title: string;
  readonly done: boolean;
  readonly notes?: string;
  /** POSIX seconds. */
  readonly created_at: number;
  readonly updated_at: number;
}

export interface TaskChange {
  readonly title?: string | undefined;
  readonly notes?: string | undefined;
  readonly done?: boolean | undefined;
}

interface Row {
  readonly number: number;
  readonly title: string;
  readonly notes: string | null;
  readonly done: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Each method is one transaction. A task id that does not exist gives undefined or false. */
export class TaskStore {
  readonly #db;
  readonly #statements;

  constructor(
    file: string,
    private readonly clock: Clock,
  ) {
    this.#db = openStore(file, SCHEMA);
    this.#statements = {
      list: this.#db.prepare<[], Row>(
        'SELECT number, title, NULL AS notes, done, created_at, updated_at FROM tasks ORDER BY number',
      ),
      get: this.#db.prepare<[number], Row>('SELECT * FROM tasks WHERE number = ?'),
      count: this.#db.prepare<[], { count: number }>('SELECT count(*) AS count FROM tasks'),
      insert: this.#db.prepare<[Omit<Row, 'number' | 'done'>], Row>(
        `INSERT INTO tasks (title, notes, created_at, updated_at)
         VALUES (@title, @notes, @created_at, @updated_at) RETURNING *`,
      ),
      update: this.#db.prepare<[Omit<Row, 'created_at'>], Row>(
        `UPDATE tasks SET title = @title, notes = @notes, done = @done, updated_at = @updated_at
         WHERE number = @number RETURNING *`,
      ),
      delete: this.#db.prepare<[number]>('DELETE FROM tasks WHERE number = ?'),
    };
  }

  /** Every task, oldest first, without notes. */
  list(): Task[] {
    return this.#statements.list.all().map(taskOf);
  }

  get(id: string): Task | undefined {
    const row = this.#row(id);
    return row === undefined ? undefined : taskOf(row);
  }

  count(): number {
    return this.#statements.count.get()?.count ?? 0;
  }

  create(title: string, notes: string | undefined): Task {
    const now = this.#now();
    const row = { title, notes: notes ?? null, created_at: now, updated_at: now };
    return taskOf(this.#one(this.#statements.insert.get(row)));
  }

  update(id: string, change: TaskChange): Task | undefined {
    const write = this.#db.transaction(() => {
      const row = this.#row(id);
      if (row === undefined) return undefined;
      const changed = this.#statements.update.get({
        number: row.number,
        title: change.title ?? row.title,
        notes: change.notes ?? row.notes,
        done: change.done === undefined ? row.done : Number(change.done),
        updated_at: this.#now(),
      });
      return taskOf(this.#one(changed));
    });
    return write.immediate();
  }

  delete(id: string): boolean {
    const number = numberOf(id);
    return number !== undefined && this.#statements.delete.run(number).changes === 1;
  }

  close(): void {
    this.#db.close();
  }

  #row(id: string): Row | undefined {
    const number = numberOf(id);
    return number === undefined ? undefined : this.#statements.get.get(number);
  }

  #one(row: Row | undefined): Row {
    if (row === undefined) throw new Error('RETURNING gave no row');
    return row;
  }

  #now(): number {
    return Math.floor(this.clock() / 1000);
  }
}

/** One spelling per task: `t-07` is not `t-7`. */
function numberOf(id: string): number | undefined {
  return /^t-[1-9][0-9]{0,14}$/.test(id) ? Number(id.slice(2)) : undefined;
}

function taskOf(row: Row): Task {
  const { number, title, notes, done, created_at, updated_at } = row;
  return {
    id: `t-${number}`,
    title,
    done: done === 1,
    ...(notes === null ? {} : { notes }),
    created_at,
    updated_at,
  };
}
