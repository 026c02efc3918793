import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { mainOf } from '../../src/cli/processes.js';

/** Runs the CLI. Never rejects: its exit code and output are what is looked at. */
function bridge(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const main = mainOf('bridge').replace(/main\.js$/, 'cli/main.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { timeout: 110_000 }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

it.each(['1', '2'])(
  'bridge walkthrough --carrier a2a --depth %s tells nothing that differs',
  async (depth) => {
    const { code, out } = await bridge('walkthrough', '--carrier', 'a2a', '--depth', depth);
    expect(out).not.toContain('[DIFFERS]');
    expect(out.match(/^\[REJECTED\] HopMismatch \(bridge\)/gm)).toHaveLength(8);
    expect(out).toContain('[REJECTED] SignatureMismatch (vault)');
    expect(out).toContain('[REJECTED] WrongAudience (rs)');
    expect(code).toBe(0);
  },
);

it.each(['0', '7', 'deep', '-1'])('--depth %s is refused with what it takes', async (depth) => {
  const { code, err } = await bridge('walkthrough', '--carrier', 'a2a', '--depth', depth);
  expect(code).not.toBe(0);
  expect(err).toContain('1 to 6');
});
