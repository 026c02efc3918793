import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GroupCommit } from '../../../rs/store/group-commit.js';
import type { Store } from '../../../rs/store/open-store.js';
import { openStore } from '../../../rs/store/open-store.js';

let dir: string;
let store: Store;
let commits: GroupCommit;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'commit-'));
  store = openStore(join(dir, 'x.db'), 'CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY)');
  commits = new GroupCommit(store);
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});
const insert = (n: number) => () => store.prepare('INSERT INTO t VALUES (?)').run(n).changes;
const rows = () => store.prepare('SELECT n FROM t ORDER BY n').pluck().all();

it('commits what arrives together in one transaction, and answers only after it', async () => {
  let settled = 0;
  const seen: number[] = [];
  const writes = [1, 2, 3].map((n) =>
    commits.run(() => {
      seen.push(settled);
      return insert(n)();
    }),
  );
  for (const write of writes) void write.then(() => settled++);
  expect(rows()).toEqual([]);
  expect(await Promise.all(writes)).toEqual([1, 1, 1]);
  expect(seen).toEqual([0, 0, 0]);
  expect(store.inTransaction).toBe(false);
});

it('takes back only the rows of the write that threw', async () => {
  const failing = commits.run(() => {
    insert(2)();
    throw new Error('no');
  });
  const results = await Promise.allSettled([
    commits.run(insert(1)),
    failing,
    commits.run(insert(3)),
  ]);
  expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(rows()).toEqual([1, 3]);
});

it('rejects every write of a transaction that could not commit', async () => {
  const first = commits.run(insert(1));
  const ending = commits.run(() => store.exec('ROLLBACK'));
  const last = commits.run(insert(3));
  const results = await Promise.allSettled([first, ending, last]);
  expect(results.map((r) => r.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(rows()).toEqual([]);
  expect(await commits.run(insert(4))).toBe(1);
});
