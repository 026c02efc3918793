import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Four projects, by what they need: nothing, real processes, or a browser besides. */
export default defineConfig({
  root,
  test: {
    reporters: process.env['CI'] === undefined ? ['default'] : ['default', 'json'],
    outputFile: { json: 'test-results/results.json' },
    projects: [
      {
        test: {
          name: 'unit',
          root,
          include: ['test/unit/**/*.test.ts', 'test/architecture/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'attacks',
          root,
          include: ['test/attacks/**/*.test.ts'],
          globalSetup: ['test/support/attack-stack.ts'],
          // A hundred small files on one stack: loading everything anew for each would take longer than the attacks.
          pool: 'threads',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'flows',
          root,
          include: ['test/flows/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          root,
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
