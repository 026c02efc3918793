#!/usr/bin/env node
/**
 * What `npm test` runs, on a fresh clone too: installs packages, builds, finds or installs a browser, runs every test
 * and closes with `N passed, N failed, N skipped`. Arguments go to vitest (`npm test -- test/unit/vault`).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needsBuild, needsInstall } from '../../src/cli/start.mjs';
import { ensureChromium } from './ensure-chromium.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const args = process.argv.slice(2);

function run(command, parameters, env = {}) {
  const { status } = spawnSync(command, parameters, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return status ?? 1;
}

if (needsInstall(root) && run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']) !== 0)
  process.exit(1);
if (needsBuild(root) && run('npm', ['run', 'build', '--silent']) !== 0) process.exit(1);

const wantsBrowser = args.every((arg) => arg.startsWith('-') || arg.includes('browser'));
const browser = wantsBrowser ? await ensureChromium() : { path: undefined };
if (browser.problem !== undefined) {
  process.stderr.write(`${browser.problem}\n`);
  process.exit(1);
}

const results = join(root, 'test-results', 'results.json');
mkdirSync(dirname(results), { recursive: true });
rmSync(results, { force: true });
const status = run(
  'npx',
  [
    'vitest',
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...args,
  ],
  {
    ...(browser.path === undefined ? {} : { CHROMIUM_PATH: browser.path }),
  },
);

const {
  numPassedTests = 0,
  numFailedTests = 0,
  numPendingTests = 0,
  numTodoTests = 0,
} = JSON.parse(readFileSync(results, 'utf8'));
const skipped = numPendingTests + numTodoTests;
process.stdout.write(
  `${numPassedTests} passed, ${numFailedTests} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
);
process.exit(status);
