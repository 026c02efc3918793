import Database from 'better-sqlite3';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Domain, domainDir } from '../../src/cli/data-directory.js';
import type { TestStack } from './test-stack.js';

/** The database that holds a domain's record, open for writing as whoever has its files could. */
export function recordDatabase(stack: TestStack, domain: Domain): Database.Database {
  const dir = domainDir(stack.data, domain);
  for (const name of readdirSync(dir).filter((file) => /\.(db|sqlite)$/.test(file))) {
    const db = new Database(join(dir, name), { timeout: 5000 });
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'record'").get() !== undefined)
      return db;
    db.close();
  }
  throw new Error(`${domain} has no record`);
}
