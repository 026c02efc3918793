import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const HOW =
  'No Chromium for the browser tests. Install one and run again: `apt-get install chromium` (Debian), ' +
  '`npx playwright install --with-deps chromium`, or set CHROMIUM_PATH to the executable of one you have.';

/**
 * The Chromium the browser tests use: CHROMIUM_PATH, then Debian's, then Playwright's own; installed when there is
 * none (with apt as root on Debian, else by Playwright). `{path}` or `{problem}` with a line that says how.
 */
export async function ensureChromium() {
  const found = await findChromium();
  if (found !== undefined) return { path: found };
  process.stderr.write('Installing Chromium for the browser tests …\n');
  if (isRootOnDebian()) {
    run('apt-get', ['update', '-qq']);
    run('apt-get', [
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      'chromium',
      'fonts-dejavu-core',
    ]);
  } else run('npx', ['playwright', 'install', 'chromium']);
  const installed = await findChromium();
  return installed === undefined ? { problem: HOW } : { path: installed };
}

export async function findChromium() {
  const { chromium } = await import('playwright');
  const candidates = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    chromium.executablePath(),
  ];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
}

function isRootOnDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false;
  return /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'));
}

function run(command, args) {
  spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
