#!/usr/bin/env node
/**
 * `npm run bench`: measures mint and execute, and beside them, in the same run, what they are made of. Prints a table
 * and writes it to RESULTS.md; with `--json` prints the figures alone.
 *
 *   --rounds N       rounds of the comparison (15)
 *   --rows N         live rows of the full store (1 000 000)
 *   --executions N   calls of the long run (100 000)
 *   --json           print JSON, write nothing
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { bareCrypto } from './bare-crypto.mjs';
import { canonicalization } from './canonicalization.mjs';
import { compare } from './compare.mjs';
import { liveRows } from './live-rows.mjs';
import { longRun, starts } from './long-run.mjs';
import { figuresOf, tableOf } from './results.mjs';
import { createWorld } from './world.mjs';

const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url));
const MEASURED = /(?<=<!-- measured -->\n)[^]*(?=<!-- \/measured -->)/;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    rows: { type: 'string', default: '1000000' },
    executions: { type: 'string', default: '100000' },
    json: { type: 'boolean', default: false },
  },
});

const say = (line) => process.stderr.write(`${line}\n`);
const loads = [loadavg()[0]];

say('bare operations');
const world = await createWorld();
const crypto = await bareCrypto();
const canonical = canonicalization(world.configs);
const ready = await starts(world);
world.remove();
say(`mint and execute, ${values.rounds} rounds`);
const compared = await compare(Number(values.rounds), say);
loads.push(loadavg()[0]);
say(`a store with ${values.rows} live rows`);
const full = await liveRows(Number(values.rows));
say(`${values.executions} executions`);
const long = await longRun(Number(values.executions));
loads.push(loadavg()[0]);

const machine = {
  date: new Date().toISOString().slice(0, 10),
  cores: availableParallelism(),
  node: process.version,
  threadPool: process.env['UV_THREADPOOL_SIZE'] ?? '4 (default)',
  load: loads.map((load) => Number(load.toFixed(1))),
};
const figures = figuresOf({ machine, crypto, canonical, ready, compared, full, long });
if (values.json) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
else {
  const table = tableOf(figures);
  process.stdout.write(table);
  const page = readFileSync(RESULTS, 'utf8').replace(MEASURED, () => table);
  const style = await resolveConfig(RESULTS);
  writeFileSync(RESULTS, await format(page, { ...style, parser: 'markdown' }));
}
