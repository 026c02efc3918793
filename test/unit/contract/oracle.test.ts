import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../../src/contract/payload.js';
import { askOracle, hasPython } from '../../oracle/run-oracle.js';
import { loadVectors } from '../../vectors/load-vectors.js';
import { ourAnswer } from './answer.js';
import { payload, text } from './arbitraries.js';

/** Values no form carries, and that survive the JSON of a request to the oracle. */
const unsignable = fc.constantFrom(2 ** 53, -(2 ** 53), 1e300, '\ud800', 'x\udc00', '\ude00\ud83d');

/** A payload with one thing wrong somewhere in its args, so that code and path are both determined. */
const faulty = fc
  .tuple(
    fc.constantFrom(1 as const, 2 as const).chain(payload),
    fc.array(fc.oneof(text, fc.nat(3)), { maxLength: 4 }),
    unsignable,
  )
  .map(([good, steps, fault]) => {
    const wrapped = steps.reduceRight<unknown>(
      (inner, step) =>
        typeof step === 'number'
          ? [...Array<null>(step).fill(null), inner]
          : Object.fromEntries([[step, inner]]),
      fault,
    );
    return { ...good, args: Object.fromEntries([['bad', wrapped]]) } as Payload;
  });

/** The JSON text of a payload after one edit, which may or may not have broken it. */
const edited = fc
  .tuple(
    fc.constantFrom(1 as const, 2 as const).chain(payload),
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    fc.constantFrom(
      '',
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '-',
      '.',
      'e',
      '0',
      '1',
      'n',
      ' ',
      '\u00a0',
      '\ud800',
      '\n',
      '"a":1,',
    ),
    fc.nat(2),
  )
  .map(([good, where, insert, remove]) => {
    const whole = JSON.stringify(good);
    const at = Math.floor(where * whole.length);
    return whole.slice(0, at) + insert + whole.slice(at + remove);
  });

describe.skipIf(!hasPython)('the second implementation, written from CANONICAL.md alone', () => {
  test('agrees on every vector', () => {
    const vectors = [...loadVectors().values()].flat();
    const requests = vectors.map((v) => ('raw' in v ? { raw: v.raw } : { payload: v.payload }));
    const answers = askOracle(requests);
    expect(answers).toHaveLength(vectors.length);
    expect(answers).toEqual(
      vectors.map((vector) =>
        'refused' in vector
          ? { refused: vector.refused, path: vector.path }
          : {
              canonical_hex: vector.canonical_hex,
              sha256: vector.sha256,
              ...(vector.form === 1 && { hmac_sha256: vector.hmac_sha256 }),
            },
      ),
    );
  });

  test('agrees on 10,000 generated payloads, good and faulty', { timeout: 60_000 }, () => {
    const requests = [
      ...fc.sample(payload(1), 3500).map((p) => ({ payload: p })),
      ...fc.sample(payload(2), 3500).map((p) => ({ payload: p })),
      ...fc.sample(faulty, 1500).map((p) => ({ payload: p })),
      ...fc.sample(edited, 1500).map((raw) => ({ raw })),
    ];
    const answers = askOracle(requests);
    expect(answers).toHaveLength(10_000);
    requests.forEach((request, i) => {
      const ours = ourAnswer(request);
      const theirs = answers[i];
      // An edited text may have several faults once it is a payload; any one of their paths will do.
      if ('raw' in request && 'refused' in ours && ours.refused === 'MalformedPayload') {
        expect(theirs, JSON.stringify(request)).toMatchObject({ refused: ours.refused });
      } else expect(theirs, JSON.stringify(request)).toEqual(ours);
    });
  });
});
