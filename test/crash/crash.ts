/** `npm run crash -- --runs N --seed S [--first K]`: kills, restarts, retries, audits, and prints the figures. */
import { parseArgs } from 'node:util';
import { audit } from './audit.js';
import { Bookkeeper } from './books.js';
import { Domains } from './domains.js';
import { Effects } from './effects.js';
import type { Errand } from './errand.js';
import { figures } from './figures.js';
import { Killer } from './killer.js';
import { Load } from './load.js';
import { pairs } from './people.js';
import { everyWriteGated } from './gated-writes.js';

const AUDIT_EVERY = 20;
const AGENTS = 12;
const KILLERS = 2;
const PEOPLE = 24;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    first: { type: 'string', default: '1' },
  },
});
const [runs, seed, first] = [Number(values.runs), Number(values.seed), Number(values.first)];

const started = performance.now();
const domains = await (await Domains.provision(everyWriteGated)).start();
domains.keepSpares();
const people = await pairs(domains, PEOPLE);
const effects = new Effects(domains.dir('rs'));
const books = new Bookkeeper(domains);
books.read();
const load = new Load(domains, people, effects, seed + first - 1);
const killer = new Killer(domains, load, seed);
const errands: Errand[] = [];
const totals = { executed: 0, indeterminate: 0 };

/** Kills under load until the last of these runs, then lets everybody finish and audits. @returns what does not hold */
async function batch(from: number, to: number): Promise<readonly string[]> {
  let next = from;
  const lane = async (): Promise<void> => {
    while (next <= to) {
      next += 1;
      await killer.run(next - 1);
    }
  };
  try {
    load.start(AGENTS);
    await Promise.all(Array.from({ length: KILLERS }, lane));
    const done = await load.drain();
    errands.push(...done);
    const found = audit(done, books.read(), effects);
    totals.executed += found.executed;
    totals.indeterminate += found.indeterminate;
    return [...found.problems, ...domains.scandals];
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

let problems: readonly string[] = [];
const last = first + runs - 1;
for (let from = first; from <= last && problems.length === 0; from += AUDIT_EVERY) {
  const to = Math.min(from + AUDIT_EVERY - 1, last);
  problems = await batch(from, to);
  process.stderr.write(`\r${to - first + 1} of ${runs} runs`);
  if (problems.length > 0)
    process.stdout.write(
      `in runs ${from} to ${to}: npm run crash -- --seed ${seed} --first ${from} --runs ${to - from + 1}\n`,
    );
}

process.stderr.write('\n');
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0)
  process.stdout.write(`last words:\n  ${domains.said.slice(-30).join('\n  ')}\n`);
const seconds = (performance.now() - started) / 1000;
process.stdout.write(
  figures({
    seed,
    kills: killer.kills,
    errands,
    ...totals,
    said: domains.said,
    seconds,
    violations: problems.length,
  }),
);
await load.close();
await domains.stop();
process.exit(problems.length === 0 ? 0 : 1);
