/** Canonical bytes: different payloads have different bytes, equal ones the same, and a second implementation agrees. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalBytes, canonicalJson } from '../../../src/contract/canonical.js';
import { jsonEqual } from '../../../src/contract/json.js';
import type { JsonValue } from '../../../src/contract/json.js';
import type { Payload } from '../../../src/contract/payload.js';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import { askOracle, hasPython } from '../../oracle/run-oracle.js';
import { ourAnswer } from '../contract/answer.js';
import { jsonValue, payload, reordered } from '../contract/arbitraries.js';
import { cases, RUNS, TIME } from './runs.js';

const utf8 = new TextDecoder();
const textOf = (value: Payload): string => utf8.decode(canonicalBytes(value, 'vault'));

test.each([1, 2] as const)(
  'form %i is read back as the same payload, so no two share bytes, and is the same in any order of members',
  TIME,
  (form) => {
    fc.assert(
      fc.property(payload(form), (value) => {
        const text = textOf(value);
        const back = parseStrictJson(text, 'vault');
        if (!jsonEqual(back, value)) expect.fail(text);
        // Stable: what was read back has the same bytes. Order-free: so has what was turned around.
        if (textOf(back as unknown as Payload) !== text) expect.fail(text);
        if (textOf(reordered(value) as unknown as Payload) !== text) expect.fail(text);
      }),
      cases(2),
    );
  },
);

/** Values that look alike to a careless writer. */
const CONFUSABLE: readonly JsonValue[] = [
  ...[
    0,
    1,
    10,
    1e5,
    '0',
    '1',
    '',
    'null',
    null,
    false,
    true,
    [],
    {},
    [[]],
    [{}],
    [null],
    { a: null },
  ],
  ...['\u00e9', 'e\u0301', '\\u00e9', '"', '\\"', '\\', '\\\\', '\n', '\\n', ' ', '\u00a0'],
  ...[
    { a: 1 },
    { a: '1' },
    { A: 1 },
    { 'a ': 1 },
    { a: [1] },
    { '': 1 },
    { __proto__x: 1 },
    { '1': 1 },
  ],
];

const BASES = ([1, 2] as const).flatMap((form) => fc.sample(payload(form), 100));

test('one member changed means other bytes', TIME, () => {
  const one = fc.constantFrom(...CONFUSABLE);
  fc.assert(
    fc.property(fc.constantFrom(...BASES), one, one, (base, a, b) => {
      const [first, second] = [a, b].map((x) => textOf({ ...base, args: { x } })) as [
        string,
        string,
      ];
      if ((first === second) !== jsonEqual(a, b)) expect.fail(first);
    }),
    cases(),
  );
});

test.skipIf(!hasPython)('the second implementation writes the same bytes', TIME, () => {
  const BATCH = 20_000;
  let compared = 0;
  for (let seed = Date.now(); compared < RUNS; seed += 1) {
    const sample = <T>(arbitrary: fc.Arbitrary<T>, share: number): T[] =>
      fc.sample(arbitrary, { numRuns: BATCH * share, seed });
    // Values alone are the most of it: what is around them in a payload is always the same.
    const requests = ([1, 2] as const).flatMap((form) => [
      ...sample(payload(form), 0.1).map((value) => ({ payload: value })),
      ...sample(jsonValue(form), 0.4).map((value) => ({ value, form })),
    ]);
    askOracle(requests).forEach((answer, i) => {
      const request = requests[i]!;
      const ours = 'value' in request ? answerToValue(request) : ourAnswer(request);
      expect(answer, JSON.stringify(request)).toMatchObject(ours);
    });
    compared += requests.length;
  }
  console.log(`oracle: ${compared} payloads and values compared`);
});

function answerToValue({ value, form }: { value: JsonValue; form: 1 | 2 }) {
  return { canonical_hex: Buffer.from(canonicalJson(value, form, 'vault')).toString('hex') };
}
