#!/usr/bin/env node
/**
 * What `npm start` runs on a fresh clone: check Node, install what is missing, build what is stale, then
 * `bridge up --walkthrough`, all in this process. Plain JavaScript without dependencies, because it runs before there are any.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const SOURCES = ['src', 'consent-ui', 'vault', 'rs', 'tsconfig.json', '.tsconfig.build.json'];

/** One plain line when this Node is older than `required` (`>=x.y.z`), else undefined. */
export function nodeProblem(version, required) {
  const numbers = (text) => text.match(/\d+/g).slice(0, 3).map(Number);
  const [have, need] = [numbers(version), numbers(required)];
  const at = need.findIndex((n, i) => n !== have[i]);
  if (at === -1 || have[at] > need[at]) return undefined;
  return `Node ${need.join('.')} or newer is needed; this is ${version}. Install it from https://nodejs.org and try again.`;
}

/** True when node_modules is missing or was installed before the lockfile last changed. */
export function needsInstall(dir) {
  const installed = modified(join(dir, 'node_modules', '.package-lock.json'));
  return installed === 0 || installed < modified(join(dir, 'package-lock.json'));
}

/**
 * True when a source is newer than the last build that succeeded. The browser bundle is written last, and only after
 * the compiler found nothing, so its time is the time of that build.
 */
export function needsBuild(dir) {
  const bundles = join(dir, 'dist', 'consent-ui', 'browser');
  if (!existsSync(join(dir, 'dist', 'src', 'cli', 'main.js')) || !existsSync(bundles)) return true;
  const built = Math.max(
    0,
    ...readdirSync(bundles)
      .filter((name) => name.endsWith('.js'))
      .map((name) => modified(join(bundles, name))),
  );
  return SOURCES.some((source) => newerThan(join(dir, source), built));
}

/** Views are read from the source tree as they are, so only code counts; a folder's own time tells of removals and renames. */
function newerThan(path, time) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isDirectory()) return /\.(ts|mjs|json)$/.test(path) && stat.mtimeMs > time;
  if (path.endsWith('views')) return false;
  return stat.mtimeMs > time || readdirSync(path).some((name) => newerThan(join(path, name), time));
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Runs npm with its output on stderr: stdout belongs to `bridge up`, whose first line is JSON. */
function npm(args) {
  const script = process.env.npm_execpath;
  const [file, head] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  const options = {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: file === 'npm' && process.platform === 'win32',
  };
  const { status, error } = spawnSync(file, [...head, ...args], options);
  if (status !== 0) fail(`npm ${args[0]} failed${error ? ` (${error.message})` : ''}; see above.`);
}

function fail(line) {
  process.stderr.write(`consent-bridge: ${line}\n`);
  process.exit(1);
}

/** npm killed hard cannot pass a signal on; then nobody is left who asked for the four processes. */
function endWithNpm() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 1000).unref();
}

async function start() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const problem = nodeProblem(process.version, engines.node);
  if (problem) fail(problem);
  if (needsInstall(root)) {
    process.stderr.write('Installing packages (once, about a minute) …\n');
    npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  if (needsBuild(root)) {
    process.stderr.write('Building …\n');
    npm(['run', 'build', '--silent']);
  }
  endWithNpm();
  const main = join(root, 'dist', 'src', 'cli', 'main.js');
  process.argv = [process.execPath, main, 'up', '--walkthrough', ...process.argv.slice(2)];
  await import(pathToFileURL(main).href);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await start();
}
