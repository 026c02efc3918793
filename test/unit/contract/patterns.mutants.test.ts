import { describe, expect, it, test } from 'vitest';
import { matches, mostSpecific } from '../../../src/contract/patterns.js';

test.each<[string, string, boolean]>([
  ['', '', true],
  ['', 'a', false],
  ['delete_task', 'delete_task', true],
  ['delete_task', 'delete_tasks', false],
  ['delete_task', 'a_delete_task', false],
  ['*', '', true],
  ['*', 'anything', true],
  ['**', 'anything', true],
  ['fs.*', 'fs.', true],
  ['fs.*', 'fs.delete', true],
  ['fs.*', 'ftp.delete', false],
  ['fs.*', 'my.fs.delete', false],
  ['*.delete', 'fs.delete', true],
  ['*.delete', '.delete', true],
  ['*.delete', 'fs.deleted', false],
  ['*.delete', 'delete', false],
  ['a*a', 'aa', true],
  ['a*a', 'aba', true],
  // One letter cannot be both the beginning and the end.
  ['a*a', 'a', false],
  ['ab*ba', 'aba', false],
  ['a*b*c', 'abc', true],
  ['a*b*c', 'a1b2c', true],
  ['a*b*c', 'ac', false],
  ['a*b*c', 'acb', false],
  ['*b*', 'b', true],
  ['*b*', 'abc', true],
  ['*b*', 'ac', false],
  // What stands in the middle is looked for between the ends, not in them.
  ['ab*b*c', 'abc', false],
  ['a*bc*c', 'abc', false],
  ['a*bc*c', 'abcc', true],
  // Each part after the one before it, and as early as it can be.
  ['*a*b*', 'ba', false],
  ['*a*b*', 'ab', true],
  ['*aa*a*', 'aa', false],
  ['*aa*a*', 'aaa', true],
  ['*ab*ab*', 'aab-ab', true],
  ['*ab*ab*', 'aabb', false],
  // Nothing but the star is special.
  ['a.c', 'abc', false],
  ['a?*', 'ab', false],
  ['a?*', 'a?b', true],
  ['[a]*', 'a', false],
])('%j takes %j: %s', (pattern, name, taken) => {
  expect(matches(pattern, name)).toBe(taken);
});

describe('the most specific rule', () => {
  const ruleFor = (name: string, ...patterns: string[]) =>
    mostSpecific(new Map(patterns.map((pattern) => [pattern, `rule ${pattern}`])), name);

  it('is that of the exact name, wherever it stands and however short', () => {
    expect(ruleFor('ab', 'ab*', 'a*', 'ab', '*')).toBe('rule ab');
    expect(ruleFor('a*', 'a**', 'a*')).toBe('rule a*');
  });

  it('else that of the pattern with the most literal characters', () => {
    expect(ruleFor('fs.delete', '*', 'fs.*', '*.delete', 'fs.d*')).toBe('rule *.delete');
    expect(ruleFor('fs.delete', '*.delete', 'fs.*', '*')).toBe('rule *.delete');
    // Stars do not count: five characters with four letters go before six with three.
    expect(ruleFor('abcdef', '*a*b*c', 'abcd*', 'a*c*d*')).toBe('rule abcd*');
    expect(ruleFor('abcdef', 'a*b*c*', 'abcd*')).toBe('rule abcd*');
    expect(ruleFor('abc', 'a***', 'ab*')).toBe('rule ab*');
  });

  it('of equals the one listed first', () => {
    expect(ruleFor('ab', 'a*', '*b')).toBe('rule a*');
    expect(ruleFor('ab', '*b', 'a*')).toBe('rule *b');
  });

  it('never one that does not take the name, however long', () => {
    expect(ruleFor('ab', '*', 'abc*', 'long.pattern.*')).toBe('rule *');
  });

  it('also if it is a single star', () => {
    expect(ruleFor('anything', '*')).toBe('rule *');
  });

  it('or there is none', () => {
    expect(ruleFor('ab')).toBeUndefined();
    expect(ruleFor('ab', 'a', 'abc', 'b*')).toBeUndefined();
  });
});
