import { describe, expect, it, test } from 'vitest';
import { canonicalJson } from '../../../src/contract/canonical.js';
import { displaySegments } from '../../../src/contract/display.js';
import { isRefusalCode, problemOf, Refusal } from '../../../src/contract/errors.js';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import { refusalOf } from './answer.js';

describe('canonical text', () => {
  it('form 1 orders the second halves of surrogate pairs like any other', () => {
    const [first, last] = ['\u{103fe}', '\u{103ff}'];
    const text = canonicalJson({ [last]: 1, [first]: 2 }, 1, 'vault');
    expect(text).toBe('{"\\ud800\\udffe":2,"\\ud800\\udfff":1}');
  });

  it('stops before a member that begins behind 2 Mi code units, not before', () => {
    // `["aaa…",` is as long as the limit, to the character.
    const upTo = (length: number) => ['a'.repeat(length - '["",'.length), 0];
    expect(canonicalJson(upTo(1 << 21), 2, 'vault')).toHaveLength((1 << 21) + '0]'.length);
    const over = refusalOf(() => canonicalJson(upTo((1 << 21) + 1), 2, 'vault'));
    expect(over).toEqual({ refused: 'PayloadTooLarge', path: '' });
  });
});

describe('strict JSON', () => {
  it('reads 72 levels of objects and no 73rd', () => {
    const depth = (n: number): string => '{"a":'.repeat(n - 1) + '{}' + '}'.repeat(n - 1);
    expect(() => parseStrictJson(depth(72), 'rs')).not.toThrow();
    expect(refusalOf(() => parseStrictJson(depth(73), 'rs'))).toMatchObject({
      refused: 'MalformedJson',
    });
  });

  it('makes of __proto__ a member that can be changed and removed like any other', () => {
    const read = Object(parseStrictJson('{"__proto__":1,"a":1}', 'rs')) as object;
    const { __proto__: made, a: usual } = Object.getOwnPropertyDescriptors(
      read,
    ) as unknown as Record<string, PropertyDescriptor>;
    expect(made).toEqual(usual);
  });
});

describe('a refusal', () => {
  it('is told by its name', () => {
    expect(String(new Refusal('NotFound', 'rs'))).toMatch(/^Refusal: /);
  });

  it('has no members for what it does not say', () => {
    const problem = problemOf(new Refusal('NotFound', 'rs'));
    expect(Object.keys(problem).sort()).toEqual(['code', 'layer', 'status', 'title', 'type']);
  });

  it('has a text as its code, not something that turns into one', () => {
    expect([['Internal'], { toString: () => 'Internal' }].some(isRefusalCode)).toBe(false);
  });
});

describe('what passes for another character', () => {
  const marked = (text: string): string[] =>
    displaySegments(text).flatMap((segment) =>
      segment.kind === 'mark' ? [String.fromCodePoint(segment.codePoint)] : [],
    );

  test.each(['⅓', '℃'])('%s is made of ASCII only in part, and is taken for itself', (sign) => {
    expect(marked(`about ${sign} of it`)).toEqual([]);
  });

  it('Greek letters of Latin shape alone, whatever stands between them', () => {
    expect(marked('ΑΒΕ ΟΧ')).toEqual(Array.from('ΑΒΕΟΧ'));
    expect(marked('ΑΒΕ')).toEqual(Array.from('ΑΒΕ'));
  });

  it('not where a Greek letter shows what they are', () => {
    expect(marked('Διαγραφη')).toEqual([]);
    expect(marked('ΑΒΕ Δ')).toEqual([]);
  });
});
