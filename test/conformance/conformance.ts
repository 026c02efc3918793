/**
 * `npm run conformance`: all server scenarios against a server of ours, by itself and through the gateway. Writes
 * RESULTS.md; the exit code is 1 if the gateway loses anything that it is not meant to lose.
 *
 *   --only SCENARIO   this one alone; nothing is written
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { compare } from './compare.js';
import { startEverything } from './everything-server.js';
import { startGatewayRun } from './gateway-run.js';
import { type Run, lineOf, resultsOf } from './results.js';
import { SUITES, runSuite } from './run-suite.js';

const FILE = join(process.cwd(), 'test', 'conformance', 'RESULTS.md');
const GENERATED = /(?<=<!-- generated -->\n)[^]*(?=<!-- \/generated -->)/;

const { values } = parseArgs({ options: { only: { type: 'string' } } });

const direct = await startEverything(['legacy', 'modern']);
const runs: Run[] = [];
try {
  const alone = new Map<string, Awaited<ReturnType<typeof runSuite>>>();
  for (const suite of SUITES)
    alone.set(JSON.stringify(suite), await runSuite(suite, direct.url, values.only));
  // The gateway speaks the newest revision to an upstream that has both.
  for (const upstream of ['2026-07-28', '2025-11-25'] as const) {
    const eras =
      upstream === '2025-11-25' ? (['legacy'] as const) : (['legacy', 'modern'] as const);
    const gateway = await startGatewayRun(eras);
    try {
      for (const suite of SUITES) {
        process.stderr.write(`${suite.revision} (${suite.version}), upstream ${upstream}\n`);
        const through = await runSuite(suite, gateway.url, values.only);
        const rows = compare(alone.get(JSON.stringify(suite)) ?? new Map(), through, upstream);
        runs.push({ suite, upstream, rows });
      }
    } finally {
      await gateway.close();
    }
  }
} finally {
  await direct.close();
}

const lost = runs.flatMap(({ suite, upstream, rows }) =>
  rows.flatMap((row) =>
    row.lost
      .filter(({ accepted }) => accepted === undefined)
      .map((loss) => `${suite.revision} (${suite.version}), upstream ${upstream} ${lineOf(loss)}`),
  ),
);
const results = resultsOf(runs, new Date().toISOString().slice(0, 10));
process.stdout.write(`${results}\n`);
if (values.only === undefined) {
  const page = readFileSync(FILE, 'utf8').replace(GENERATED, () => results);
  const style = await resolveConfig(FILE);
  writeFileSync(FILE, await format(page, { ...style, parser: 'markdown' }));
}
for (const line of lost) process.stderr.write(`lost: ${line}\n`);
process.exitCode = lost.length === 0 ? 0 : 1;
