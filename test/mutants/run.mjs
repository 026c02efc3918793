#!/usr/bin/env node
/**
 * Changes the production code of src/contract, vault and rs in one small way at a time and sees whether the unit tests
 * of the area notice: `npm run mutants`. Writes RESULTS.md, unless only some files were asked for. What an earlier run
 * found is taken over where neither the code nor its tests changed; `--fresh` forgets it.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AREAS, EXCLUDED, WANTED } from './areas.mjs';
import { summaryOf } from './report.mjs';
import { survivorLine, writeResults } from './results.mjs';

const HELP = `Usage: npm run mutants -- [options]

  --area NAME        contract, vault or rs; may be repeated (default: all three)
  --files GLOB       only these production files, for example 'vault/checks/*.ts'; may be repeated; no RESULTS.md
  --list-survivors   each mutant that no test noticed, with the reason if there is one
  --json             the figures and the survivors as one JSON document
  --fresh            forget what an earlier run found
`;

const { values } = parseArgs({
  options: {
    area: { type: 'string', multiple: true, default: Object.keys(AREAS) },
    files: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    'list-survivors': { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = join(root, 'test-results/mutants');
mkdirSync(out, { recursive: true });
// It takes long and nobody waits for it.
setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
// Thousands of small databases, whose durability is not in question here.
const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mutants-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

const some = values.files !== undefined;
const started = Date.now();
const areas = [];
for (const area of values.area) {
  if (AREAS[area] === undefined) throw new Error(`no such area: ${area}`);
  const wanted = some ? values.files.filter((glob) => ofArea(glob, area)) : AREAS[area];
  if (wanted.length === 0) continue;
  const report = join(out, `${area}${some ? '-files' : ''}.json`);
  await stryker(area, wanted, report);
  areas.push(summaryOf(area, JSON.parse(readFileSync(report, 'utf8'))));
}
const minutes = (Date.now() - started) / 60_000;

if (!some && values.area.length === Object.keys(AREAS).length) await writeResults(areas, minutes);
if (values.json) process.stdout.write(`${JSON.stringify({ areas }, null, 2)}\n`);
else {
  for (const { area, mutants, killed, survived, timeout, score, survivors } of areas) {
    const figures = `${mutants} mutants, ${killed} killed, ${survived} survived, ${timeout} timed out`;
    process.stdout.write(`${area}: ${figures}: ${score} %\n`);
    if (!values['list-survivors']) continue;
    for (const survivor of survivors) process.stdout.write(`  ${survivorLine(survivor)}\n`);
  }
}
if (!some && areas.some(({ score }) => score < WANTED)) process.exitCode = 1;

function ofArea(glob, area) {
  return glob.startsWith(AREAS[area][0].replace('**/*.ts', ''));
}

/**
 * Each survivor is tried again, because Stryker would take over those in what a module does when it is loaded; and each
 * that ran out of time, because the machine may only have been busy.
 */
function forgetSurvivors(file) {
  if (!existsSync(file)) return;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  for (const each of Object.values(report.files)) {
    each.mutants = each.mutants.filter(
      ({ status, statusReason }) => status === 'Killed' || statusReason === 'hit limit',
    );
  }
  writeFileSync(file, JSON.stringify(report));
}

/** Progress goes to stderr: stdout is for the figures. */
function stryker(area, files, report) {
  const incremental = report.replace('.json', '-incremental.json');
  if (values.fresh) rmSync(incremental, { force: true });
  else forgetSurvivors(incremental);
  const mutate = [...files, ...Object.keys(EXCLUDED).map((glob) => `!${glob}`)];
  const child = spawn(
    process.execPath,
    ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'test/mutants/stryker.config.mjs'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: {
        ...process.env,
        TMPDIR: scratch,
        MUTANTS_AREA: area,
        MUTANTS_FILES: JSON.stringify(mutate),
        MUTANTS_REPORT: report,
        MUTANTS_INCREMENTAL: incremental,
      },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`stryker ended with ${code} over ${area}`));
    });
  });
}
