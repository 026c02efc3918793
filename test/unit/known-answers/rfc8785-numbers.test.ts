/**
 * Numbers as RFC 8785 prints them: the sample of its appendix B, and the million lines whose digest its author publishes.
 * Form 2 refuses `-0` and all doubles beyond 2^53-1 either way; the rest goes through the writer payloads go through.
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/contract/canonical.js';
import { isExactNumber } from '../../../src/contract/json-check.js';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import { refusalOf } from '../contract/answer.js';
import { bitsOf, es6Numbers, fromBits } from './es6-number-sequence.js';

const REFUSED = { refused: 'MalformedPayload', path: '' };
const write = (value: number): string => canonicalJson(value, 2, 'vault');

test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', REFUSED],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', REFUSED],
  ['ffefffffffffffff', REFUSED],
  ['4340000000000000', REFUSED],
  ['c340000000000000', REFUSED],
  ['4430000000000000', REFUSED],
  ['7fffffffffffffff', REFUSED],
  ['7ff0000000000000', REFUSED],
  ['44b52d02c7e14af5', REFUSED],
  ['44b52d02c7e14af6', REFUSED],
  ['44b52d02c7e14af7', REFUSED],
  ['444b1ae4d6e2ef4e', REFUSED],
  ['444b1ae4d6e2ef4f', REFUSED],
  ['444b1ae4d6e2ef50', REFUSED],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
])('appendix B: %s', (hex, expected) => {
  const value = fromBits(hex);
  if (typeof expected === 'string') expect(write(value)).toBe(expected);
  else expect(refusalOf(() => write(value))).toEqual(expected);
});

/** From the table in testdata/README.md of cyberphone/json-canonicalization. */
const PUBLISHED = new Map([
  [1000, 'be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687'],
  [10_000, 'b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892'],
  [100_000, '22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7'],
  [1_000_000, '49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16'],
]);

test(
  'the first million lines of es6testfile have the published digests',
  { timeout: 60_000 },
  () => {
    const digest = createHash('sha256');
    const digests = new Map<number, string>();
    let lines = 0;
    let written = 0;
    let batch = '';
    for (const value of es6Numbers()) {
      const exact = isExactNumber(value);
      const text = exact ? write(value) : JSON.stringify(value);
      // Reading back is sampled: every number the writer accepts is read as the same double.
      if (exact && ++written % 10 === 0) expect(parseStrictJson(text, 'vault')).toBe(value);
      if (!exact && lines % 100 === 0) expect(refusalOf(() => write(value))).toEqual(REFUSED);
      batch += `${bitsOf(value)},${text}\n`;
      lines += 1;
      if (lines % 1000 === 0) {
        digest.update(batch);
        batch = '';
        if (PUBLISHED.has(lines)) digests.set(lines, digest.copy().digest('hex'));
        if (lines === 1_000_000) break;
      }
    }
    expect(digests).toEqual(PUBLISHED);
    console.log(`es6testfile: ${lines} lines, ${written} of them written by form 2`);
  },
);
