import { expect, it } from 'vitest';
import { runProgram } from '../crash/run-program.js';

/** `npm run crash -- --runs 2000` for more; what it checks is in test/crash/audit.ts. */
const RUNS = process.env['CRASH_RUNS'] ?? '200';
const SEED = process.env['CRASH_SEED'] ?? '1';

it(
  'whatever is killed, no action without a signature, none twice, no decision lost, no outcome made up',
  async () => {
    const { code, text } = await runProgram('crash', '--runs', RUNS, '--seed', SEED);
    process.stdout.write(text);
    expect(text).toContain(`seed ${SEED}: ${RUNS} runs`);
    expect(text).toContain('violations: 0');
    expect(code).toBe(0);
  },
  20 * 60_000,
);
