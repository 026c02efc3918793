/**
 * How many cases a property is tried with: at least 10^5 in CI, `FUZZ_RUNS` in a long run. A run that fails prints its
 * seed; `FUZZ_SEED` repeats it.
 */
export const RUNS = Number(process.env['FUZZ_RUNS'] ?? 100_000);

const seed = process.env['FUZZ_SEED'];

/** For `fc.assert`. `share` divides the cases between properties that together make one claim. */
export function cases(share = 1): { numRuns: number; seed?: number; timeout?: number } {
  return {
    numRuns: Math.ceil(RUNS / share),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}

/** For tests that make many cases: a long run may take hours. */
export const TIME = { timeout: Math.max(120_000, RUNS * 20) };
