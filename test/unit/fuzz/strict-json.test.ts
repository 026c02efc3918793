/** The strict parser beside JSON.parse: what it accepts reads alike there, and what JSON.parse refuses it refuses. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../../src/contract/errors.js';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import { cases, TIME } from './runs.js';

const REFUSED = Symbol('refused');

function strictly(text: string): unknown {
  try {
    return parseStrictJson(text, 'rs');
  } catch (error) {
    if (error instanceof Refusal && error.code === 'MalformedJson' && error.path !== undefined)
      return REFUSED;
    throw error;
  }
}

function leniently(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return REFUSED;
  }
}

/** The canonical text of what JSON.parse made of it, and a `-0` where there was one. */
const retold = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) => (Object.is(member, -0) ? '-0' : member));

let accepted = 0;
function agree(text: string): void {
  const ours = strictly(text);
  if (ours === REFUSED) return;
  accepted += 1;
  const theirs = leniently(text);
  if (theirs === REFUSED) expect.fail(`only we accept ${JSON.stringify(text)}`);
  if (retold(ours) !== retold(theirs)) expect.fail(`read differently: ${JSON.stringify(text)}`);
}

const FRAGMENTS = [
  ...Array.from('{}[]",:\\/ 019-+.eEtfnu\n\t\r\b\u0000\u00a0\ufeff\u2028\u007f\ud800\udc00é😀'),
  ...['true', 'false', 'null', 'NaN', 'Infinity', '"a"', '"a":', '"__proto__":', '""', '\\u0041'],
  ...[
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\x',
    '-0',
    '1e5',
    '1E400',
    '1e-400',
    '0.1',
    '9007199254740993',
  ],
  ...['[1,2]', '{"a":1}', '//', '/*', "'"],
];

const soup = fc
  .array(fc.constantFrom(...FRAGMENTS), { maxLength: 10 })
  .map((parts) => parts.join(''));

/** JSON text after up to three edits, so that most of it is well formed. */
const edited = fc
  .tuple(
    fc.json({ maxDepth: 3, stringUnit: 'grapheme' }),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', ...FRAGMENTS)), { maxLength: 3 }),
  )
  .map(([json, edits]) =>
    edits.reduce((text, [where, remove, insert]) => {
      const at = where % (text.length + 1);
      return text.slice(0, at) + insert + text.slice(at + remove);
    }, json),
  );

test('fragments of JSON in any order', TIME, () => {
  accepted = 0;
  fc.assert(fc.property(soup, agree), cases());
  console.log(`fragments: ${accepted} accepted`);
  expect(accepted).toBeGreaterThan(100);
});

test('JSON after a few edits', TIME, () => {
  accepted = 0;
  fc.assert(fc.property(edited, agree), cases());
  console.log(`edited: ${accepted} accepted`);
  expect(accepted).toBeGreaterThan(10_000);
});

test('anything else', TIME, () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 20 }), agree), cases());
});
