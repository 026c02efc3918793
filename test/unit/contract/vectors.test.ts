import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/contract/json.js';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import { loadVectors } from '../../vectors/load-vectors.js';
import { ourAnswer } from './answer.js';
import { npmCanonicalize } from './npm-canonicalize.js';

const files = loadVectors();

test('every file of vectors is there', () => {
  expect([...files.keys()].sort()).toEqual(['accepted', 'limits', 'raw', 'refused', 'rfc8785']);
});

describe.each([...files])('%s', (_file, vectors) => {
  test('names are unique within a form', () => {
    const names = vectors.map(({ name, form }) => `${form} ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(vectors.map((vector) => ({ title: `form ${vector.form} ${vector.name}`, vector })))(
    '$title',
    ({ vector }) => {
      const { name, form, ...rest } = vector;
      expect([name.length > 0, [1, 2].includes(form)]).toEqual([true, true]);
      const subject = 'raw' in vector ? { raw: vector.raw } : { payload: vector.payload };
      // Exactly the documented members, and exactly the documented answer.
      expect(rest).toEqual({ ...subject, ...ourAnswer(subject) });
      if (form === 2 && 'canonical_hex' in vector) {
        const payload: unknown =
          'raw' in vector ? parseStrictJson(vector.raw, 'vault') : vector.payload;
        expect(Buffer.from(npmCanonicalize(payload) ?? '').toString('hex')).toBe(
          vector.canonical_hex,
        );
      }
    },
  );
});

test('RFC 8785 sections 3.2.2 to 3.2.4 as published, but for 1E30', () => {
  const textOf = (name: string): string => {
    const vector = files.get('rfc8785')?.find((v) => v.name === name);
    if (!vector || !('canonical_hex' in vector)) throw new Error(name);
    return Buffer.from(vector.canonical_hex, 'hex').toString('utf8');
  };
  expect(textOf('section 3.2.2 without 1E30')).toContain(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
  const values = Object.values(
    (JSON.parse(textOf('section 3.2.3')) as { args: Record<string, JsonValue> }).args,
  );
  // JSON.parse moves the integer-like name "1" to the front; all others keep the order of the text.
  expect(values).toEqual([
    'One',
    'Carriage Return',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
});
