import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/contract/json.js';
import { deepFreeze, isJsonObject, jsonEqual } from '../../../src/contract/json.js';
import { jsonValue, reordered } from './arbitraries.js';

test('only objects that are neither null nor lists are JSON objects', () => {
  expect([{}, { a: 1 }, Object.create(null)].map(isJsonObject)).toEqual([true, true, true]);
  expect([null, [], 'a', 1, true, undefined].map(isJsonObject)).toEqual(Array(6).fill(false));
});

test.each<[JsonValue, JsonValue]>([
  [0, -0],
  [1, '1'],
  [1, true],
  [null, false],
  [[], {}],
  [{}, null],
  [{ a: 1 }, [1]],
  [
    ['a', 'b'],
    ['b', 'a'],
  ],
  [['a'], ['a', 'a']],
  [{ a: 1 }, { a: 1, b: 1 }],
  [
    { a: 1, b: 1 },
    { a: 1, c: 1 },
  ],
  ['\u00e9', 'e\u0301'],
  [Object.fromEntries([['__proto__', 1]]), {}],
  [Object.fromEntries([['__proto__', {}]]), { a: 1 }],
  [{ toString: 1 }, {}],
  [{}, { toString: 1 }],
])('%j and %j differ', (a, b) => {
  expect([jsonEqual(a, b), jsonEqual(b, a)]).toEqual([false, false]);
});

test('order of members does not matter, a copy is equal', () => {
  fc.assert(
    fc.property(jsonValue(2), (value) => {
      expect(jsonEqual(value, reordered(value))).toBe(true);
      expect(jsonEqual(value, structuredClone(value))).toBe(true);
    }),
  );
});

test('deepFreeze freezes every level and returns the same value', () => {
  const value = { list: [{ deep: { er: 1 } }], text: 'a' };
  expect(deepFreeze(value)).toBe(value);
  expect([value, value.list, value.list[0], value.list[0]?.deep].every(Object.isFrozen)).toBe(true);
});
