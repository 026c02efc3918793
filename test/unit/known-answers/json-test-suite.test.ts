/**
 * JSONTestSuite ("Parsing JSON is a minefield"): what the strict parser says to each text, and that JSON.parse reads
 * alike whatever it accepts. Source of the data: README.md beside this file.
 */
import { describe, expect, test } from 'vitest';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import { refusalOf } from '../contract/answer.js';
import { jsonTestSuite } from './published-vectors.js';

/** Texts JSON allows and we refuse (CANONICAL.md): `-0`, beyond 2^53-1, a member twice. */
const STRICTER = {
  y_number: '123e65',
  y_number_minus_zero: '-0',
  y_number_negative_zero: '-0',
  y_number_real_capital_e: '1E22',
  y_number_real_exponent: '123e45',
  y_number_real_fraction_exponent: '123.456e78',
  y_object_duplicated_key: '"a":',
  y_object_duplicated_key_and_value: '"a":',
  y_object_extreme_numbers: '1.0e+28',
};

/** Of what is the implementation's to say, the `transform` texts we accept; the others are ambiguous in the above ways. */
const TRANSFORMED = [
  'number_1.0',
  'number_1.000000000000000005',
  'number_1000000000000000',
  'number_1e6',
  'object_key_nfc_nfd',
  'object_key_nfd_nfc',
  'string_with_escaped_NULL',
].map((name) => `transform/${name}`);

/** The package holds texts, so octets that were no UTF-8 are U+FFFD in it, a character like any other. */
const REPLACED = '\ufffd';

const texts = jsonTestSuite();
const accepted = texts.filter(({ text }) => isAccepted(text)).map(({ name }) => name);

function isAccepted(text: string): boolean {
  try {
    parseStrictJson(text, 'rs');
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'MalformedJson', layer: 'rs' });
    return false;
  }
}

function namesOf(prefix: string): string[] {
  return texts.map(({ name }) => name).filter((name) => name.startsWith(prefix));
}

describe('JSONTestSuite', () => {
  test('has the texts it should', () => {
    const counts = ['y_', 'n_', 'i_', 'transform/'].map((prefix) => namesOf(prefix).length);
    expect(counts).toEqual([95, 188, 35, 22]);
  });

  test('what must be accepted is, but for what is refused on purpose', () => {
    const refused = namesOf('y_').filter((name) => !accepted.includes(name));
    expect(refused).toEqual(Object.keys(STRICTER));
    for (const [name, reason] of Object.entries(STRICTER)) {
      expect(texts.find((text) => text.name === name)?.text).toContain(reason);
    }
  });

  test('what must be refused is', () => {
    expect(accepted.filter((name) => name.startsWith('n_'))).toEqual([]);
  });

  test('of the rest only what every parser reads alike is accepted', () => {
    const free = texts.filter(({ name }) => /^(?:i_|transform\/)/.test(name));
    const plain = free.filter(({ text }) => !text.includes(REPLACED)).map(({ name }) => name);
    expect(plain.filter((name) => accepted.includes(name))).toEqual(TRANSFORMED);
  });

  test('JSON.parse reads alike what is accepted', () => {
    for (const { name, text } of texts) {
      if (accepted.includes(name))
        expect(parseStrictJson(text, 'rs'), name).toEqual(JSON.parse(text));
    }
  });

  test('nesting without end is refused where it gets too deep', () => {
    const deep = texts.find(({ name }) => name === 'n_structure_100000_opening_arrays');
    expect(refusalOf(() => parseStrictJson(deep!.text, 'rs')).path).toBe('[0]'.repeat(72));
  });
});
