import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonEqual } from '../../../src/contract/json.js';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import { refusalOf } from './answer.js';
import { jsonValue } from './arbitraries.js';

const parse = (text: string): unknown => parseStrictJson(text, 'rs');
const refusal = (text: string): unknown => refusalOf(() => parse(text));

test('reads back everything JSON.stringify writes, compact and indented', () => {
  fc.assert(
    fc.property(jsonValue(2), fc.constantFrom(undefined, 1, '\t', '\n \r'), (value, indent) => {
      expect(jsonEqual(parseStrictJson(JSON.stringify(value, null, indent), 'rs'), value)).toBe(
        true,
      );
    }),
    { numRuns: 1000 },
  );
});

test('accepts no text that JSON.parse refuses, and reads it alike', () => {
  const soup = fc
    .array(
      fc.constantFrom(
        ...Array.from('{}[]",:\\ 01-.eE+tfnu\n\u00a0'),
        'true',
        'null',
        '"a"',
        '\\u0041',
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(soup, (text) => {
      let ours: unknown;
      try {
        ours = parse(text);
      } catch {
        return;
      }
      expect(JSON.parse(text)).toEqual(ours);
    }),
    { numRuns: 20_000 },
  );
});

describe('names an object may not shadow', () => {
  test('__proto__ is a member of its own and no prototype changes', () => {
    const value = parse('{"__proto__":{"polluted":true},"a":{"__proto__":null}}') as {
      a: object;
    };
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"a":{"__proto__":null}}');
  });

  test('inherited names are not duplicates', () => {
    const text = '{"toString":1,"constructor":2,"hasOwnProperty":3}';
    expect(JSON.stringify(parse(text))).toBe(text);
  });
});

describe('carries code, layer and path', () => {
  test('the layer is the one that asked', () => {
    expect(() => parseStrictJson('{', 'consent-ui')).toThrow(
      expect.objectContaining({ code: 'MalformedJson', layer: 'consent-ui' }),
    );
  });

  test.each([
    ['{"args":{"items":[1,2,3,{"name":-0}]}}', 'args.items[3].name'],
    ['{"args":{"we ird":[1e400]}}', 'args["we ird"][0]'],
    ['[[],[0,{"a-b":tru}]]', '[1][1]["a-b"]'],
    ['{"\\u202e":-0}', '["\\u202e"]'],
    ['-0', ''],
    ['{"a":1}x', ''],
  ])('%s', (text, path) => {
    expect(refusal(text)).toEqual({ refused: 'MalformedJson', path });
  });
});

describe('hostile sizes', () => {
  const depth = (n: number): string => '['.repeat(n) + ']'.repeat(n);

  test('72 levels are read, 73 are not, and a million do not overflow the stack', () => {
    expect(() => parse(depth(72))).not.toThrow();
    const path = '[0]'.repeat(72);
    expect(refusal(depth(73))).toEqual({ refused: 'MalformedJson', path });
    expect(refusal('['.repeat(1_000_000))).toEqual({ refused: 'MalformedJson', path });
    expect(refusal('{"a":'.repeat(1_000_000))).toMatchObject({ refused: 'MalformedJson' });
  });

  test.each([
    ['strings', (n: number) => `["${'a'.repeat(n)}"]`],
    ['escapes', (n: number) => `["${'\\n'.repeat(n / 2)}"]`],
    ['backslashes before the quote', (n: number) => `["${'\\\\'.repeat(n / 2)}"]`],
    ['white space', (n: number) => `[${' '.repeat(n)}]`],
    ['digits', (n: number) => `[0.${'1'.repeat(n)}]`],
    ['zeros', (n: number) => `[0.${'0'.repeat(n)}]`],
    ['members', (n: number) => `{${Array.from({ length: n / 10 }, (_, i) => `"k${i}":0`).join()}}`],
    ['an unfinished string', (n: number) => `["${'a'.repeat(n)}`],
    ['an unfinished escape', (n: number) => `["${'\\'.repeat(n)}`],
  ])('ten times the %s take about ten times as long, not a hundred', (_kind, make) => {
    const time = (text: string): number => {
      const start = performance.now();
      try {
        parse(text);
      } catch {
        // Refused is fine: the question is how long it takes.
      }
      return performance.now() - start;
    };
    const small = make(100_000);
    const large = make(1_000_000);
    const best = (text: string): number => Math.min(...[1, 2, 3].map(() => time(text)));
    expect(best(large)).toBeLessThan(40 * best(small) + 50);
  });
});
