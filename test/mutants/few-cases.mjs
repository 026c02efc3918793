/**
 * Stands in for fast-check while mutants run: few cases, always the same ones, and no shrinking, because the first case
 * that fails has killed the mutant.
 */
import real from 'fast-check';

export * from 'fast-check';

const CASES = Number(process.env['MUTANTS_CASES'] ?? 100);

export function assert(property, parameters = {}) {
  return real.assert(property, {
    ...parameters,
    numRuns: Math.min(parameters.numRuns ?? CASES, CASES),
    seed: 1,
    endOnFailure: true,
  });
}

export default { ...real, assert };
