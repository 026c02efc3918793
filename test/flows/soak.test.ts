import { expect, it } from 'vitest';
import { runProgram } from '../crash/run-program.js';

/** `npm run soak -- --minutes 10` for more. */
const SECONDS = process.env['SOAK_SECONDS'] ?? '45';

it(
  'under mixed load memory and handles stay flat, and nothing is refused that was not meant to be',
  async () => {
    const { code, text } = await runProgram('soak', '--seconds', SECONDS);
    process.stdout.write(text);
    expect(text).toContain('violations: 0');
    expect(code).toBe(0);
  },
  (Number(SECONDS) + 300) * 1000,
);
