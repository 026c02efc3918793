import { expect, it } from 'vitest';
import { BoundedMap } from '../../../vault/bounded-map.js';
import { ExpiringMap } from '../../../vault/expiring-map.js';

it('an expiring map stays as large as its live window', () => {
  const time = { ms: 1_000_000_000 };
  const map = new ExpiringMap<number>(() => time.ms, 60);
  for (let i = 0; i < 10_000; i += 1) {
    map.set(String(i), time.ms / 1000 + 10, i);
    time.ms += 1000;
  }
  expect(map.size).toBeLessThan(200);
  expect(map.get('9999')).toBe(9999);
  expect(map.get('0')).toBeUndefined();
});

it('a bounded map keeps the newest', () => {
  const map = new BoundedMap<number>(2);
  for (const n of [1, 2, 3, 3]) map.set(String(n), n);
  expect(['1', '2', '3'].map((key) => map.get(key))).toEqual([undefined, 2, 3]);
});
