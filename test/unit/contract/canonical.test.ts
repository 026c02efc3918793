import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalBytes, canonicalJson, formOf } from '../../../src/contract/canonical.js';
import type { JsonObject, JsonValue } from '../../../src/contract/json.js';
import { deepFreeze, jsonEqual } from '../../../src/contract/json.js';
import type { Payload } from '../../../src/contract/payload.js';
import * as schemas from '../../../src/contract/payload.js';
import { refusalOf } from './answer.js';
import { npmCanonicalize } from './npm-canonicalize.js';
import { jsonValue, payload, reordered, text } from './arbitraries.js';

const forms = [1, 2] as const;
const textOf = (value: Payload): string => Buffer.from(canonicalBytes(value, 'vault')).toString();

const form1: Payload = {
  cmd: 'delete_task',
  args: { task_id: 't-42' },
  rar_type: 'consent_bridge_action',
  exp: 1779315522,
  approver_id: 'alice@example.com',
  binding_message: 'Delete the task t-42?',
};
const form2: Payload = {
  v: 2,
  ...form1,
  aud: 'http://127.0.0.1:8423',
  client_id: 'agent-7',
  nonce: 'n'.repeat(43),
};
const withArgs = (args: unknown): Payload => ({ ...form2, args: args as JsonObject });

describe.each(forms)('form %i', (form) => {
  test('the form of a payload is read from v', () => {
    fc.assert(fc.property(payload(form), (p) => formOf(p) === form));
  });

  test('bytes do not depend on the order of members, nor on freezing, nor on the run', () => {
    fc.assert(
      fc.property(payload(form), (p) => {
        const bytes = textOf(p);
        expect(textOf(reordered(p as JsonValue) as Payload)).toBe(bytes);
        expect(textOf(deepFreeze(p as JsonValue) as Payload)).toBe(bytes);
        expect(textOf(p)).toBe(bytes);
      }),
    );
  });

  test('the text reads back as the payload, so two payloads never share their bytes', () => {
    fc.assert(
      fc.property(payload(form), (p) => {
        expect(jsonEqual(JSON.parse(textOf(p)) as JsonValue, p as JsonValue)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('distinct neighbours have distinct texts', () => {
    const neighbours: JsonValue[] = [
      ...[
        0,
        1,
        '0',
        '1',
        true,
        false,
        null,
        'null',
        'true',
        '',
        [],
        {},
        [[]],
        [{}],
        [null],
        [0],
        ['0'],
      ],
      ...[
        '\u00e9',
        'e\u0301',
        '\\u00e9',
        '"',
        '\\"',
        '\\',
        '\\\\',
        '\n',
        '\\n',
        ['a', 'b'],
        ['b', 'a'],
      ],
      ...[
        ['a,b'],
        ['a', 'b', ''],
        { a: 'b' },
        { b: 'a' },
        { a: { b: 1 } },
        { 'a":{"b': 1 },
        { a: [] },
      ],
    ];
    const texts = neighbours.map((value) => canonicalJson(value, form, 'vault'));
    expect(new Set(texts).size).toBe(neighbours.length);
  });

  test('nothing is dropped or normalised on the way', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(JSON.parse(canonicalJson([value], form, 'vault'))).toEqual([value]);
      }),
    );
  });
});

test('form 1 is ASCII', () => {
  fc.assert(fc.property(payload(1), (p) => /^[ -~]*$/.test(textOf(p))));
});

test('form 2 is what npm canonicalize makes', () => {
  fc.assert(
    fc.property(jsonValue(2), (value) => {
      expect(canonicalJson(value, 2, 'vault')).toBe(npmCanonicalize(value));
    }),
    { numRuns: 2000 },
  );
});

describe('what in-process callers can get wrong', () => {
  class Task {
    id = 1;
  }
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const cyclicList: unknown[] = [];
  cyclicList.push(0, cyclicList);
  const sparse = [1, 2, 3];
  // eslint-disable-next-line @typescript-eslint/no-array-delete
  delete sparse[1];

  test.each([
    ['undefined', undefined, 'args.x'],
    ['a big integer', 10n, 'args.x'],
    ['a function', () => 1, 'args.x'],
    ['a symbol', Symbol('s'), 'args.x'],
    ['NaN', NaN, 'args.x'],
    ['Infinity', -Infinity, 'args.x'],
    ['negative zero', -0, 'args.x'],
    ['a date', new Date(0), 'args.x'],
    ['a map', new Map([['a', 1]]), 'args.x'],
    ['bytes', new Uint8Array(2), 'args.x'],
    ['a boxed string', Object('s') as unknown, 'args.x'],
    ['a class instance', new Task(), 'args.x'],
    ['an object with toJSON', { toJSON: () => 1 }, 'args.x.toJSON'],
    ['a hole in a list', sparse, 'args.x[1]'],
    ['undefined in a list', [undefined], 'args.x[0]'],
    ['a cycle', cyclic, `args.x${'.self'.repeat(62)}`],
    ['a cycle through a list', cyclicList, `args.x${'[1]'.repeat(62)}`],
  ])('%s', (_name, x, path) => {
    const expected = { refused: 'MalformedPayload', path };
    expect(refusalOf(() => canonicalBytes(withArgs({ a: 1, x }), 'vault'))).toEqual(expected);
    expect(refusalOf(() => canonicalBytes({ ...form1, args: { x } } as Payload, 'vault'))).toEqual(
      expected,
    );
  });

  test.each([undefined, null, 'text', 7, [], new Task()])('%s for a payload', (value) => {
    expect(refusalOf(() => canonicalBytes(value as unknown as Payload, 'rs'))).toEqual({
      refused: 'MalformedPayload',
      path: '',
    });
  });

  test('objects without a prototype are plain', () => {
    const bare = Object.assign(Object.create(null) as Record<string, JsonValue>, { a: 1 });
    expect(canonicalJson(bare, 2, 'vault')).toBe('{"a":1}');
  });

  test('one object held a billion times ends as a refusal, soon', () => {
    const laughs = Array.from({ length: 30 }).reduce<JsonValue>((inner) => [inner, inner], 'ha');
    expect(refusalOf(() => canonicalBytes(withArgs({ laughs }), 'vault'))).toEqual({
      refused: 'PayloadTooLarge',
      path: '',
    });
    expect(refusalOf(() => canonicalJson(laughs, 1, 'vault'))).toEqual({
      refused: 'PayloadTooLarge',
      path: '',
    });
  });
});

describe('size', () => {
  test.each([
    ['form 1, ASCII', form1, 'x', 1],
    ['form 1, escaped', form1, '\u00e9', 6],
    ['form 2, ASCII', form2, 'x', 1],
    ['form 2, two bytes of UTF-8', form2, '\u00e9', 2],
    ['form 2, four bytes of UTF-8', form2, '\u{1f600}', 4],
  ])('%s: 65536 bytes are signed, one more is not', (_name, base, character, width) => {
    const room = 65_536 - canonicalBytes({ ...base, args: { s: '' } }, 'vault').length;
    const fill = character.repeat(Math.floor(room / width)) + 'x'.repeat(room % width);
    expect(canonicalBytes({ ...base, args: { s: fill } }, 'vault')).toHaveLength(65_536);
    expect(refusalOf(() => canonicalBytes({ ...base, args: { s: fill + 'x' } }, 'vault'))).toEqual({
      refused: 'PayloadTooLarge',
      path: '',
    });
  });
});

describe('the members of a payload', () => {
  test('are its own: what a polluted prototype lends does not count', () => {
    const { nonce, ...rest } = form2 as Payload & { nonce: string };
    Object.defineProperty(Object.prototype, 'nonce', { value: nonce, configurable: true });
    try {
      expect(refusalOf(() => canonicalBytes(rest, 'vault'))).toEqual({
        refused: 'MalformedPayload',
        path: 'nonce',
      });
    } finally {
      Reflect.deleteProperty(Object.prototype, 'nonce');
    }
  });

  /** One edit of a good payload that may break its shape. */
  const edited = fc
    .tuple(
      fc.constantFrom(form1, form2),
      fc.constantFrom(...Object.keys(form2), 'extra', '__proto__', 'toString'),
      fc.constantFrom<unknown>(
        '',
        'a',
        0,
        1,
        2,
        -1,
        1.5,
        2 ** 53,
        null,
        true,
        [],
        {},
        { a: 1 },
        '2',
        'delete',
      ),
    )
    .map(([base, name, value]) =>
      value === 'delete'
        ? Object.fromEntries(Object.entries(base).filter(([member]) => member !== name))
        : Object.fromEntries([...Object.entries(base).filter(([m]) => m !== name), [name, value]]),
    );

  test('are what the zod schema of the wire says', () => {
    fc.assert(
      fc.property(edited, (value) => {
        const sign = (): unknown => canonicalBytes(value as unknown as Payload, 'vault');
        if (schemas.payload.safeParse(value).success) expect(sign).not.toThrow();
        else expect(refusalOf(sign)).toMatchObject({ refused: 'MalformedPayload' });
      }),
      { numRuns: 2000 },
    );
  });
});
