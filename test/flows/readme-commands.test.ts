import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/claims.js';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Every `npm run bridge -- …` the README shows, as written, without the shell's quotes around nothing. */
const COMMANDS = [
  ...new Set([...README.matchAll(/`npm run bridge -- ([^`]+)`/g)].map(([, command]) => command!)),
];

let clone: string;

interface Ended {
  readonly code: number;
  readonly out: string;
}

function run(command: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: clone, timeout: 280_000, maxBuffer: 16 * 1024 * 1024 };
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, out: `${stdout}\n${stderr}` });
    });
  });
}

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'consent-bridge-clone-'));
  const { code, out } = await run('git', [
    'clone',
    '--quiet',
    '--depth',
    '1',
    `file://${ROOT}`,
    '.',
  ]);
  expect(code, out).toBe(0);
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

describe('on a fresh clone', () => {
  it(
    'npm start -- --once installs, builds, runs the walkthrough and ends well',
    { timeout: 290_000 },
    async () => {
      const { code, out } = await run('npm', ['start', '--', '--once']);
      expect(code, out).toBe(0);
      expect(out).toContain('[REJECTED] SignatureReplay (vault)');
    },
  );

  it('the README shows commands', () => {
    expect(COMMANDS.length).toBeGreaterThanOrEqual(8);
    expect(README).toMatch(/^npm start$/m);
    expect(README).toMatch(/^npm test$/m);
  });

  it.each(COMMANDS)('npm run bridge -- %s', { timeout: 120_000 }, async (command) => {
    const { code, out } = await run('npm', [
      'run',
      '--silent',
      'bridge',
      '--',
      ...command.split(' '),
    ]);
    expect(code, out).toBe(0);
  });
});
