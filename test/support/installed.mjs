/** Programs that tests use as they are published, and that are no dependency of anything: installed once, on first use. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cache = join(root, 'node_modules', '.cache', 'installed');

/**
 * Installs one package at one exact version, without running its scripts, unless that was done before.
 * @returns the directory of the package
 */
export async function installed(name, version) {
  const home = join(cache, `${name.replace('/', '+')}@${version}`);
  if (!existsSync(home)) {
    mkdirSync(cache, { recursive: true });
    const fresh = mkdtempSync(join(cache, 'installing-'));
    try {
      writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n');
      const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
      await npm(['install', ...flags, '--loglevel=error', `${name}@${version}`], fresh);
      renameSync(fresh, home);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      // Somebody else installed it meanwhile.
      if (!existsSync(home)) throw error;
    }
  }
  return join(home, 'node_modules', name);
}

function npm(args, cwd) {
  return new Promise((resolve, reject) => {
    const windows = process.platform === 'win32';
    const child = spawn('npm', args, { cwd, shell: windows, stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (words += text));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`npm ${args.at(-1)}: ${words}`)),
    );
  });
}
