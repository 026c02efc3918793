import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortNames } from '../../../src/contract/sort-names.js';
import { text } from './arbitraries.js';

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

test('sorts few and many names like the library does', () => {
  const names = fc.oneof(
    fc.array(text, { maxLength: 16 }),
    fc.array(text, { minLength: 14, maxLength: 40 }),
  );
  fc.assert(
    fc.property(names, (given) => {
      const sorted = [...given];
      sortNames(sorted, byCodeUnit);
      expect(sorted).toEqual([...given].sort());
    }),
    { numRuns: 1000 },
  );
});

test('names in reverse order do not make it quadratic', () => {
  const names = Array.from({ length: 50_000 }, (_, i) => String(100_000 - i));
  const start = performance.now();
  sortNames(names, byCodeUnit);
  expect(performance.now() - start).toBeLessThan(1000);
});
