/**
 * The worst bodies of 256 KiB for everything that reads one in a single step: nothing keeps the process from its other
 * work for 50 ms. The median of several runs counts, so that a busy machine is not taken for a slow parser.
 */
import { expect, test } from 'vitest';
import { canonicalBytes, canonicalJson } from '../../../src/contract/canonical.js';
import { displaySegments, displayText } from '../../../src/contract/display.js';
import { MAX_CANONICAL_BYTES } from '../../../src/contract/json-check.js';
import { deepFreeze, jsonEqual } from '../../../src/contract/json.js';
import type { JsonObject, JsonValue } from '../../../src/contract/json.js';
import { proposal, executeRequest, MAX_BODY_BYTES } from '../../../src/contract/wire.js';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import { bindingMessage } from '../../../src/dispatcher/binding-message.js';
import { malformedRetry } from '../../../src/mcp/raw-message.js';
import { parseJws } from '../../../rs/jws.js';
import { isOneCborMap } from '../../../vault/extension-data.js';
import { parseAuthenticatorData } from '../../../rs/checks/authenticator-data.js';
import { parseForm } from '../../../vault/http/form.js';
import { readJws } from '../../../vault/jws.js';
import { Consent } from '../../../vault/consent.js';

const LIMIT_MS = 50;
const SIZE = MAX_BODY_BYTES;

/** `make(n)` for the largest n whose text fits a body, where each of the n takes so many octets. */
function filled(make: (n: number) => string, each: number): string {
  const text = make(Math.floor((SIZE - 600) / each));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SIZE);
  expect(Buffer.byteLength(text)).toBeGreaterThan(SIZE * 0.95);
  return text;
}

const names = (n: number, name: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => `"${name(i)}":0`).join();
const hex = (i: number): string => i.toString(36).padStart(4, '0');

const TEXTS: Readonly<Record<string, string>> = {
  'one long string': filled((n) => `"${'a'.repeat(n)}"`, 1),
  'a long string of escapes': filled((n) => `"${'\\u0000'.repeat(n)}"`, 6),
  'short escapes': filled((n) => `"${'\\n'.repeat(n)}"`, 2),
  'many escaped strings': filled((n) => `[${'"\\n",'.repeat(n)}0]`, 5),
  'backslashes without end': filled((n) => `"${'\\'.repeat(n)}`, 1),
  'an opening quote for each': filled((n) => '"a'.repeat(n), 2),
  'surrogate pairs': filled((n) => `"${'\\ud83d\\ude00'.repeat(n)}"`, 12),
  'many members': filled((n) => `{${names(n, hex)}}`, 9),
  'members in reverse': filled((n) => `{${names(n, (i) => hex(n - i))}}`, 9),
  'integer-like names': filled((n) => `{${names(n, (i) => String(i))}}`, 10),
  'names that share a long prefix': filled(
    (n) => `{${names(n, (i) => 'p'.repeat(500) + hex(i))}}`,
    509,
  ),
  'one name over and over': filled((n) => `{${names(n, () => 'a')}}`, 6),
  'lists in lists': filled((n) => '['.repeat(n), 1),
  'seventy deep, many times': filled(
    (n) => `[${`${'['.repeat(70)}${']'.repeat(70)},`.repeat(n)}0]`,
    141,
  ),
  'objects in objects': filled((n) => '{"a":'.repeat(n), 5),
  'empty lists': filled((n) => `[${'[],'.repeat(n)}0]`, 3),
  'empty objects': filled((n) => `[${'{},'.repeat(n)}0]`, 3),
  numbers: filled((n) => `[${'0,'.repeat(n)}0]`, 2),
  'long numbers': filled((n) => `[${`0.${'1'.repeat(300)},`.repeat(n)}0]`, 303),
  'one huge number': filled((n) => '9'.repeat(n), 1),
  'one long fraction': filled((n) => `0.${'0'.repeat(n)}`, 1),
  'a long exponent': filled((n) => `1e${'0'.repeat(n)}`, 1),
  'a number that is none in the end': filled((n) => `${'1'.repeat(n)}x`, 1),
  'white space': filled((n) => ' \n'.repeat(n), 2),
  'non-ASCII text': filled((n) => `"${'\u4e2d'.repeat(n)}"`, 3),
  'bidi marks': filled((n) => `"${'\u202e'.repeat(n)}"`, 3),
  'combining marks': filled((n) => `"a${'\u0301'.repeat(n)}"`, 2),
  'lookalike words': filled((n) => `"${'p\u0430ypal '.repeat(n)}"`, 8),
  'one word of many scripts': filled((n) => `"${'a\u0430\u03b1'.repeat(n)}"`, 5),
  'emoji with joiners': filled((n) => `"${'\u{1f469}\u200d'.repeat(n)}"`, 7),
  flags: filled((n) => `"${'\u{1f1e9}\u{1f1ea}'.repeat(n)}"`, 8),
  'tags after a flag': filled((n) => `"\u{1f3f4}${'\u{e0067}'.repeat(n)}"`, 4),
  'Chinese punctuation': filled((n) => `"${'\uff08'.repeat(n)}"`, 3),
  'all characters': filled(
    (n) =>
      `"${Array.from({ length: n }, (_, i) => String.fromCharCode(0x800 + (i % 0xd000))).join('')}"`,
    3,
  ),
  dots: filled((n) => '.'.repeat(n), 1),
  'parts of a token': filled((n) => `${'a'.repeat(n / 2)}.${'a'.repeat(n / 2)}`, 1),
  'letters and a sign': filled((n) => `${'a'.repeat(n)}=`, 1),
  braces: filled((n) => '{'.repeat(n), 1),
  'form pairs': filled((n) => Array.from({ length: n }, (_, i) => hex(i)).join('&'), 5),
  'percent signs': filled((n) => '%41'.repeat(n), 3),
  'broken percent signs': filled((n) => `${'%41'.repeat(n)}%`, 3),
};

const parsed = new Map(Object.entries(TEXTS).flatMap(([name, text]) => parsedOrNone(name, text)));

function parsedOrNone(name: string, text: string): [string, JsonValue][] {
  try {
    return [[name, parseStrictJson(text, 'rs')]];
  } catch {
    return [];
  }
}

const payloadOf = (args: JsonValue) => ({
  ...{ cmd: 'a', args: { x: args }, rar_type: 'b', exp: 2_000_000_000, approver_id: 'c' },
  binding_message: typeof args === 'string' ? args : '',
});
const signatureOf = (text: string) => ({
  ...{ scheme: 'webauthn', key_id: 'k'.repeat(43), credential_id: text },
  ...{ authenticator_data: text, client_data_json: text, signature: text },
});

type Reader = (text: string, value: JsonValue | undefined) => unknown;

/** Everything that takes a whole body, or a member of one, in one step. */
const READERS: Readonly<Record<string, Reader>> = {
  parseStrictJson: (text) => parseStrictJson(text, 'rs'),
  parseForm: (text) => parseForm(text),
  'readJws (vault)': (text) => readJws(text, 'at+jwt', 'MalformedCredential'),
  'parseJws (rs)': (text) => parseJws(text),
  'token of three parts (rs)': (text) => parseJws(`${b64(text)}.${b64(text)}.${b64(text)}`),
  'token of three parts (vault)': (text) =>
    readJws(`${b64(text)}.${b64(text)}.${b64(text)}`, 'at+jwt', 'MalformedCredential'),
  isOneCborMap: (text) => isOneCborMap(Buffer.from(text, 'latin1')),
  'a CBOR map of maps (vault)': (text) => isOneCborMap(Buffer.alloc(text.length, 0xa1)),
  'a CBOR map of lists (vault)': (text) => isOneCborMap(cborLists(text.length)),
  'a CBOR map of lists (rs)': (text) => parseAuthenticatorData(withHeader(cborLists(text.length))),
  'display, segments': (text) => displaySegments(shown(text)),
  'display, text': (text, value) => displayText(shown(typeof value === 'string' ? value : text)),
  'binding message': (text, value) => [
    bindingMessage(text, 'tool', {}),
    bindingMessage('{x} {y}', 'tool', { x: text, y: value ?? null }),
  ],
  canonicalBytes: (_text, value) => canonicalBytes(payloadOf(value ?? 0), 'rs'),
  'canonicalJson, form 1': (_text, value) => canonicalJson(value ?? 0, 1, 'rs'),
  'canonicalJson, form 2': (_text, value) => canonicalJson(value ?? 0, 2, 'rs'),
  jsonEqual: (text, value) => jsonEqual(value ?? 0, parsedOrNone('', text)[0]?.[1] ?? 0),
  'Consent.read': (text, value) =>
    Consent.read({ payload: payloadOf(value ?? 0), signature: signatureOf(text) }),
  'executeRequest schema': (text, value) =>
    executeRequest.safeParse({
      command: 'a',
      args: value as JsonObject,
      caller: { subject: text, client_id: text, scopes: [text] },
      credential: text,
      signed: { payload: value, signature: signatureOf(text) },
    }),
  'proposal schema': (_text, value) => proposal.safeParse(value),
  malformedRetry: (_text, value) => malformedRetry(value),
};

/** What is shown is part of what is signed, and so of no more octets than that. */
function shown(text: string): string {
  return Buffer.from(text).subarray(0, MAX_CANONICAL_BYTES).toString();
}

function b64(text: string): string {
  return Buffer.from(text.slice(0, SIZE / 4)).toString('base64url');
}

/** A map of one member whose value is lists of lists, as deep as it takes. */
function cborLists(length: number): Buffer {
  const lists = Buffer.alloc(length, 0x9a);
  lists.set([0xa1, 0x00], 0);
  return lists;
}

function withHeader(rest: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(32), Buffer.from([0x80, 0, 0, 0, 0]), rest]);
}

/** A value can be frozen once, so each run has its own. */
test('deepFreeze', { timeout: 60_000 }, () => {
  for (const [kind, text] of Object.entries(TEXTS)) {
    const took = leastOf(() => {
      const value = parsedOrNone(kind, text)[0]?.[1] ?? 0;
      return timeOf(() => deepFreeze(value));
    });
    expect(took, kind).toBeLessThan(LIMIT_MS);
  }
});

/** Milliseconds; tried again while it is too much, since what is slow is slow every time. */
function leastOf(once: () => number): number {
  let least = once();
  for (let run = 1; run < 20 && (run < 3 || least >= LIMIT_MS / 2); run += 1)
    least = Math.min(least, once());
  return least;
}

function timeOf(work: () => unknown): number {
  const start = process.cpuUsage();
  try {
    work();
  } catch {
    // Refused is what most of it should be; how fast is the question.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

test.each(Object.keys(READERS))('%s', { timeout: 60_000 }, (name) => {
  const read = READERS[name]!;
  const took = Object.entries(TEXTS).map(([kind, text]) => {
    const once = () => timeOf(() => read(text, parsed.get(kind)));
    return { kind, ms: leastOf(once) };
  });
  const [worst] = took.toSorted((a, b) => b.ms - a.ms);
  console.log(`${name}: at most ${worst!.ms.toFixed(1)} ms (${worst!.kind})`);
  expect(took.filter(({ ms }) => ms >= LIMIT_MS)).toEqual([]);
});
