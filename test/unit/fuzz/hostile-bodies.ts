import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/contract/json.js';

const HOSTILE_VALUES: readonly JsonValue[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53 - 1, 1e-7, '', ' ', 'a', '0', '__proto__', '../..'],
  ...[
    '\u0000',
    '\u202e',
    'A'.repeat(300),
    '=',
    'e30',
    'a.b.c',
    'https://x',
    '{{x}}',
    '[object Object]',
  ],
  ...[
    [],
    {},
    [[]],
    [{}],
    [null],
    { a: 1 },
    { length: 1 },
    { toString: 1 },
    { then: 1 },
    { toJSON: 1 },
  ],
  ...[{ constructor: { prototype: 1 } }, JSON.parse('{"__proto__":{"a":1}}') as JsonObject],
];

const RAW_FRAGMENTS = [
  ...Array.from('{}[]",:\\ -0.e'),
  ...['"a":1,', '1e999', '-0', '"\\ud800"', 'NaN', '\u0000', 'tru', '{"a":', '"__proto__":1,'],
];

const hostileValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as JsonValue) },
);

type Change = (honest: JsonValue) => string | Uint8Array;

/** How an accepted body is bent: a member replaced, removed or added somewhere, its text edited, or something else sent. */
export const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.array(fc.tuple(fc.nat(200), hostileValue), { minLength: 1, maxLength: 2 }))
      .map(
        ([places]): Change =>
          (honest) =>
            JSON.stringify(
              places.reduce<JsonValue>((value, [at, put]) => replaced(value, at, put), honest),
            ),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(), fc.nat(3), fc.constantFrom('', ...RAW_FRAGMENTS))
      .map(([where, remove, insert]): Change => {
        return (honest) => {
          const text = JSON.stringify(honest);
          const at = where % (text.length + 1);
          return text.slice(0, at) + insert + text.slice(at + remove);
        };
      }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(), fc.integer({ min: 0x80, max: 0xff }))
      .map(([where, octet]): Change => {
        return (honest) => {
          const bytes = Buffer.from(JSON.stringify(honest));
          bytes[where % bytes.length] = octet;
          return bytes;
        };
      }),
  },
  {
    weight: 1,
    arbitrary: hostileValue.map(
      (value): Change =>
        () =>
          JSON.stringify(value),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 40 }).map(
      (bytes): Change =>
        () =>
          bytes,
    ),
  },
);

/** `value` with the `at`-th value inside it (counted depth first, around the end) replaced, or a member added there. */
export function replaced(value: JsonValue, at: number, put: JsonValue): JsonValue {
  const total = count(value);
  let left = at % total;
  const visit = (here: JsonValue): JsonValue => {
    if (left-- === 0) return put;
    if (Array.isArray(here)) return here.map((item) => visit(item as JsonValue));
    if (typeof here !== 'object' || here === null) return here;
    return Object.fromEntries(Object.entries(here).map(([name, member]) => [name, visit(member)]));
  };
  // The second time around, a member is added to the whole instead.
  return at >= total && isObject(value) ? { ...value, extra: put } : visit(value);
}

function count(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + count(member), 1);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
