import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/contract/json.js';
import type { Payload } from '../../../src/contract/payload.js';

/** Well-formed text, with more than its share of what canonicalizers get wrong. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc
    .array(
      fc
        .constantFrom('"', '\\', '/', '\b', '\n', '\u0000', '\u001f', '\u007f', '\u0080', '\u2028')
        .chain((c) => fc.constantFrom(c, c + c)),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom('\ud7ff', '\ue000', '\uff5e', '\uffff', '\u{10000}', '\u{1f600}', 'a'), {
      maxLength: 4,
    })
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'length',
    '',
    '0',
    '10',
    '9',
    ' a',
    'é',
    'é',
  ),
);

const integer = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);

const double = fc
  .oneof(
    fc.double({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, noNaN: true }),
    fc.double({ min: -1e-4, max: 1e-4, noNaN: true }),
    fc
      .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: -30, max: 5 }))
      .map(([digits, exponent]) => Number(`${digits}e${exponent}`)),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value));

/** An object whose member names may be anything, `__proto__` too. */
export function objectOf(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc
    .uniqueArray(fc.tuple(text, value), { selector: ([name]) => name, maxLength: 5 })
    .map((members) => Object.fromEntries(members));
}

/** Any value that form `form` can carry. */
export function jsonValue(form: 1 | 2): fc.Arbitrary<JsonValue> {
  const leaf = fc.oneof(
    text,
    integer,
    form === 2 ? double : integer,
    fc.boolean(),
    fc.constant(null),
  );
  return fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 5 }),
      objectOf(tie('value')),
    ),
  })).value;
}

const word = text.filter((value) => value !== '');

/** Any payload of form `form` that can be signed (far below the limits of size and depth). */
export function payload(form: 1 | 2): fc.Arbitrary<Payload> {
  const fields = {
    cmd: word,
    args: objectOf(jsonValue(form)),
    rar_type: word,
    exp: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    approver_id: word,
    binding_message: text,
  };
  return form === 1
    ? fc.record(fields)
    : fc.record({ v: fc.constant(2 as const), ...fields, aud: word, client_id: word, nonce: word });
}

/** `value` with the members of every object in another order. Integer-like names keep the place the language gives them. */
export function reordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => reordered(item as JsonValue));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reordered(member)]),
  );
}
