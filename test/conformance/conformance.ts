/**
 * `npm run conformance`: all server scenarios against a server of ours, by itself and through the gateway. Writes
 * RESULTS.md; the exit code is 1 if the gateway loses anything.
 *
 *   --only SCENARIO   this one alone; nothing is written
 *   --eras LIST       eras of the server behind the gateway: legacy,modern
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { compare } from './compare.js';
import { startBothWays } from './gateway-run.js';
import { type Run, lineOf, resultsOf } from './results.js';
import { SUITES, runSuite } from './run-suite.js';

const FILE = join(process.cwd(), 'test', 'conformance', 'RESULTS.md');
const GENERATED = /(?<=<!-- generated -->\n)[^]*(?=<!-- \/generated -->)/;

const { values } = parseArgs({
  options: { only: { type: 'string' }, eras: { type: 'string', default: 'legacy,modern' } },
});
const eras = values.eras.split(',') as ('legacy' | 'modern')[];

const ways = await startBothWays(eras);
const runs: Run[] = [];
try {
  for (const suite of SUITES) {
    process.stderr.write(`${suite.revision}, suite ${suite.version}\n`);
    const direct = await runSuite(suite, ways.direct, values.only);
    const gateway = await runSuite(suite, ways.gateway, values.only);
    runs.push({ suite, rows: compare(direct, gateway) });
  }
} finally {
  await ways.close();
}

const lost = runs.flatMap(({ suite, rows }) =>
  rows.flatMap((row) =>
    row.lost.map((loss) => `${suite.version} ${suite.revision} ${lineOf(loss)}`),
  ),
);
process.stdout.write(`${resultsOf(runs, new Date().toISOString().slice(0, 10))}\n`);
if (values.only === undefined && eras.length === 2) {
  const results = resultsOf(runs, new Date().toISOString().slice(0, 10));
  const page = readFileSync(FILE, 'utf8').replace(GENERATED, () => results);
  const style = await resolveConfig(FILE);
  writeFileSync(FILE, await format(page, { ...style, parser: 'markdown' }));
}
for (const line of lost) process.stderr.write(`lost: ${line}\n`);
process.exitCode = lost.length === 0 ? 0 : 1;
