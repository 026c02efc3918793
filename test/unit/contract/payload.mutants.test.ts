import { describe, expect, it, test } from 'vitest';
import {
  base64url,
  form1Payload,
  form2Payload,
  jsonValue,
  keyId,
  posixSeconds,
  signature,
  signatureScheme,
  signedPayload,
} from '../../../src/contract/payload.js';
import { expectNeeded, expectStrict, expectWord, namesBut } from './shapes.js';

const KEY_ID = 'A'.repeat(43);
const form1 = {
  cmd: 'delete_task',
  args: { task_id: 't-1' },
  rar_type: 'action',
  exp: 1_900_000_000,
  approver_id: 'alice',
  binding_message: '',
};
const form2 = { v: 2, ...form1, aud: 'https://rs', client_id: 'agent', nonce: 'n-1' };
const passkey = {
  scheme: 'webauthn',
  key_id: KEY_ID,
  credential_id: 'AAAA',
  authenticator_data: 'AAAA',
  client_data_json: 'AAAA',
  signature: 'AAAA',
};

describe('base64url', () => {
  /** What Node itself writes for what it read: the one canonical spelling. */
  const isCanonical = (text: string): boolean =>
    text !== '' && Buffer.from(text, 'base64url').toString('base64url') === text;
  const letters = Array.from('ABQghwxyz019_-+/=. \n\u00e9');
  const takes = (text: string): boolean => base64url.safeParse(text).success;

  it('has one spelling for each octet string, of every length', () => {
    const lasts = letters.flatMap((a) => letters.map((b) => a + b));
    const texts = [
      '',
      ...letters,
      ...lasts,
      ...lasts.flatMap((pair) => letters.map((c) => c + pair)),
    ];
    // Before the last group, whole groups of four; before and behind it, what belongs to no alphabet.
    const all = ['', 'AAAA', '-_09zZ12', '=AAA', 'AAA.'].flatMap((head) =>
      texts.map((text) => head + text),
    );
    expect(all.filter((text) => takes(text) !== isCanonical(text))).toEqual([]);
  });

  it('of every letter in each place', () => {
    const alphabet = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
    const all = ['A', 'z9', '_-A', 'AAAAB', 'AAAABC'].flatMap((head) =>
      alphabet.map((c) => head + c),
    );
    expect(all.filter((text) => takes(text) !== isCanonical(text))).toEqual([]);
  });

  it('a key id has 43 characters', () => {
    const made = (n: number) => keyId.safeParse('A'.repeat(n)).success;
    expect([42, 43, 44].map(made)).toEqual([false, true, false]);
  });
});

test.each<[number, boolean]>([
  [1, true],
  [Number.MAX_SAFE_INTEGER, true],
  [0, false],
  [-1, false],
  [1.5, false],
  [Number.MAX_SAFE_INTEGER + 1, false],
])('%d as POSIX seconds: %s', (seconds, good) => {
  expect(posixSeconds.safeParse(seconds).success).toBe(good);
});

it('any value is a JSON value, but none at all', () => {
  for (const value of [null, 0, '', [], {}, false]) expect(jsonValue.parse(value)).toBe(value);
  expect(jsonValue.safeParse(undefined).success).toBe(false);
});

describe.each([
  ['form 1', form1Payload, form1],
  ['form 2', form2Payload, form2],
])('%s', (_form, schema, payload) => {
  it('has exactly its members', () => {
    expectStrict(schema, payload);
    expectNeeded(schema, payload, ...Object.keys(payload));
  });

  it('leaves no name empty; only the message may be', () => {
    for (const name of namesBut(payload, 'v', 'exp', 'args', 'binding_message')) {
      const takes = (text: string) => schema.safeParse({ ...payload, [name]: text }).success;
      expect([name, ...['', 'a', 'long enough'].map(takes)]).toEqual([name, false, true, true]);
    }
  });
});

it('form 2 says so', () => {
  const takes = (v: unknown) => form2Payload.safeParse({ ...form2, v }).success;
  expect([2, 1, 3, '2', null].map(takes)).toEqual([true, false, false, false, false]);
});

describe('a signature', () => {
  it('by a passkey has the parts of an assertion, each bounded', () => {
    expectStrict(signature, passkey);
    expectNeeded(signature, passkey, ...Object.keys(passkey));
    const bounds = {
      credential_id: 1400,
      authenticator_data: 4096,
      client_data_json: 4096,
      signature: 2048,
    };
    for (const [part, max] of Object.entries(bounds)) {
      const takes = (n: number) =>
        signature.safeParse({ ...passkey, [part]: 'A'.repeat(n) }).success;
      expect([part, ...[0, 2, max, max + 4].map(takes)]).toEqual([part, false, true, true, false]);
    }
  });

  test.each(['eddsa', 'es256'])('of scheme %s has 64 octets', (scheme) => {
    const raw = { scheme, key_id: KEY_ID, signature: 'A'.repeat(86) };
    expectStrict(signature, raw);
    expectNeeded(signature, raw, ...Object.keys(raw));
    const takes = (n: number) => signature.safeParse({ ...raw, signature: 'A'.repeat(n) }).success;
    expect([84, 86, 88].map(takes)).toEqual([false, true, false]);
  });

  it('of a shared secret has 64 lowercase hex digits', () => {
    const hex = '0123456789abcdef'.repeat(4);
    const made = { scheme: 'hmac-sha256', key_id: KEY_ID, signature: hex };
    expectStrict(signature, made);
    expectNeeded(signature, made, ...Object.keys(made));
    const others = [`${hex}0`, `0${hex}`, hex.slice(1), hex.toUpperCase(), `${hex.slice(1)}g`, ''];
    const takes = (text: string) => signature.safeParse({ ...made, signature: text }).success;
    expect(others.filter(takes)).toEqual([]);
  });

  it('names one of four schemes, and has the shape of that one', () => {
    expect(signatureScheme.options).toEqual(['webauthn', 'eddsa', 'es256', 'hmac-sha256']);
    expectWord(signature, passkey, ['scheme'], ['webauthn']);
  });

  it('comes with what it signs', () => {
    for (const payload of [form1, form2]) {
      const signed = { payload, signature: passkey };
      expectStrict(signedPayload, signed);
      expectNeeded(signedPayload, signed, 'payload', 'signature');
    }
  });
});
