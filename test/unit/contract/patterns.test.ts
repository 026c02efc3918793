import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, mostSpecific } from '../../../src/contract/patterns.js';

describe('matches', () => {
  it.each([
    ['*', '', true],
    ['*', 'anything', true],
    ['a*', 'a', true],
    ['a*', 'ba', false],
    ['*a', 'ba', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ab*ba', 'aba', false],
    ['files__*_file', 'files__read_file', true],
    ['files__*_file', 'files__read_files', false],
    ['*read*', 'files__read_file', true],
    ['a*b*c', 'a-c-b', false],
    ['a*b*c', 'a-b-b-c', true],
    ['**', 'x', true],
    ['exact', 'exact', true],
    ['exact', 'exactly', false],
    ['a.c', 'abc', false],
    ['a?', 'ab', false],
    ['[ab]', 'a', false],
    ['\\*', '\\x', true],
    ['files:resources/*', 'files:resources/read', true],
  ])('%j %j: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it('is what the regular expression of the pattern says', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '*', '.', '\n', '😀'),
      maxLength: 12,
    });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\n', '😀'), maxLength: 16 });
    fc.assert(
      fc.property(text, name, (pattern, of) => {
        const source = pattern
          .split('*')
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        expect(matches(pattern, of)).toBe(new RegExp(`^${source.join('[^]*')}$`).test(of));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time in proportion, however many stars', () => {
    const start = performance.now();
    expect(matches('*a'.repeat(128) + 'b', 'a'.repeat(100_000))).toBe(false);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe('mostSpecific', () => {
  const table = new Map([
    ['*', 'all'],
    ['files__*', 'files'],
    ['files__read_*', 'reading'],
    ['*_file_extra', 'extra'],
    ['files__read_file', 'this'],
    ['*__read_*', 'read anywhere'],
  ]);

  it.each([
    ['files__read_file', 'this'],
    ['files__read_dir', 'reading'],
    ['files__write', 'files'],
    ['web__read_x', 'read anywhere'],
    ['files__a_file_extra', 'extra'],
    ['other', 'all'],
  ])('%s: %s', (name, expected) => {
    expect(mostSpecific(table, name)).toBe(expected);
  });

  it('of equals takes the one listed first, and of none nothing', () => {
    expect(
      mostSpecific(
        new Map([
          ['a*', 1],
          ['*a', 2],
        ]),
        'aba',
      ),
    ).toBe(1);
    expect(
      mostSpecific(
        new Map([
          ['*a', 2],
          ['a*', 1],
        ]),
        'aba',
      ),
    ).toBe(2);
    expect(mostSpecific(new Map([['b*', 1]]), 'aba')).toBeUndefined();
    expect(mostSpecific(new Map(), 'constructor')).toBeUndefined();
  });

  it('a name with a star in it is still an exact name first', () => {
    expect(
      mostSpecific(
        new Map([
          ['**', 0],
          ['a*', 1],
        ]),
        'a*',
      ),
    ).toBe(1);
  });
});
