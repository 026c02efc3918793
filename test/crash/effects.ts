/** What really happened: every insert into and delete from the tool's own table, counted by the database itself. */
import { join } from 'node:path';
import Database from 'better-sqlite3';

const COUNTERS = `
  CREATE TABLE IF NOT EXISTS effects (n INTEGER PRIMARY KEY AUTOINCREMENT, command TEXT NOT NULL, key TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS effects_by_key ON effects (key);
  CREATE TRIGGER IF NOT EXISTS created AFTER INSERT ON tasks
    BEGIN INSERT INTO effects (command, key) VALUES ('create_task', new.title); END;
  CREATE TRIGGER IF NOT EXISTS deleted AFTER DELETE ON tasks
    BEGIN INSERT INTO effects (command, key) VALUES ('delete_task', old.title); END;
`;

export class Effects {
  private readonly file;

  /** @param rsDir data directory of a resource server that has been started once */
  constructor(rsDir: string) {
    this.file = join(rsDir, 'tasks.db');
    this.use((db) => db.exec(COUNTERS));
  }

  /** How often this command was carried out on the task with this title. */
  count(command: string, key: string): number {
    const sql = 'SELECT count(*) AS n FROM effects WHERE command = ? AND key = ?';
    return this.use(
      (db) => db.prepare<[string, string], { n: number }>(sql).get(command, key)?.n ?? 0,
    );
  }

  /** Puts a task there past the product, for a deletion to find. @returns its id */
  plant(title: string): string {
    const sql = 'INSERT INTO tasks (title, created_at, updated_at) VALUES (?, 0, 0)';
    return this.use((db) => `t-${db.prepare(sql).run(title).lastInsertRowid}`);
  }

  private use<T>(work: (db: Database.Database) => T): T {
    const db = new Database(this.file);
    try {
      return work(db);
    } finally {
      db.close();
    }
  }
}
