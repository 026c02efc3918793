/** Whether a full store is slower: the same path on stores that hold a million live rows, in turn with empty ones. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { openInProcess } from './in-process.mjs';
import { drive, median } from './measure.mjs';
import { createWorld, newJti } from './world.mjs';

const ROUNDS = 12;
const CALLS = 600;

/** @returns medians over the rounds; `ratio` is of CPU time per call, which others on the machine do not change. */
export async function liveRows(rows) {
  const [emptyWorld, fullWorld] = [await createWorld(), await createWorld()];
  fill(fullWorld.dirs, rows);
  const [empty, full] = [await openInProcess(emptyWorld), await openInProcess(fullWorld)];
  const rounds = [];
  for (let i = 0; i <= ROUNDS; i++) {
    const onEmpty = await drive(emptyWorld.signedPayloads(CALLS), 64, empty.run);
    const onFull = await drive(fullWorld.signedPayloads(CALLS), 64, full.run);
    rounds.push({ onEmpty, onFull });
  }
  // The first round only warms up.
  const measured = rounds.slice(1);
  for (const opened of [empty, full]) await opened.close();
  for (const world of [emptyWorld, fullWorld]) world.remove();
  return {
    rows,
    emptyMicros: median(measured.map(({ onEmpty }) => onEmpty.cpuMicros)),
    fullMicros: median(measured.map(({ onFull }) => onFull.cpuMicros)),
    ratio: median(measured.map(({ onEmpty, onFull }) => onFull.cpuMicros / onEmpty.cpuMicros)),
    timeRatio: median(measured.map(({ onEmpty, onFull }) => onEmpty.perSecond / onFull.perSecond)),
  };
}

/** Rows of calls whose deadlines are spread over the next ten minutes. */
function fill({ vault, rs }, rows) {
  const now = Math.floor(Date.now() / 1000);
  const deadline = () => now + 60 + Math.floor(Math.random() * 540);
  const into = (file, statements, row) => {
    const db = new SQLite(file);
    const inserts = statements.map((sql) => db.prepare(sql));
    const some = db.transaction((count) => {
      for (let i = 0; i < count; i++) row(inserts);
    });
    for (let left = rows; left > 0; left -= 50_000) some(Math.min(left, 50_000));
    db.close();
  };
  into(
    join(vault, 'vault.db'),
    [
      'INSERT INTO used_signature VALUES (?, ?, ?, ?, ?)',
      'INSERT INTO observed_signature VALUES (?, ?)',
    ],
    ([used, observed]) => {
      const [exp, hash] = [deadline(), randomBytes(32)];
      used.run(exp, hash, hash, newJti(), now);
      observed.run(exp, hash);
    },
  );
  into(
    join(rs, 'rs.db'),
    [
      'INSERT INTO used VALUES (?, ?)',
      "INSERT INTO executions VALUES (?, ?, 'bridge', 'success', '{}')",
    ],
    ([used, executions]) => {
      const exp = deadline();
      used.run(exp, randomBytes(32));
      executions.run(newJti(), exp);
    },
  );
}
