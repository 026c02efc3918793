import { expect, test } from 'vitest';
import type { RefusalCode } from '../../../src/contract/errors.js';
import { isRefusalCode, problemOf, Refusal, REFUSALS } from '../../../src/contract/errors.js';

const codes = Object.keys(REFUSALS) as RefusalCode[];

test('the table is closed: nothing outside it, inherited names included, is a code', () => {
  expect(codes.every(isRefusalCode)).toBe(true);
  const strangers = ['Nope', '', 'toString', '__proto__', 'constructor', 7, null, undefined, {}];
  expect(strangers.some(isRefusalCode)).toBe(false);
});

test.each(codes)('%s has an error status and one public sentence', (code) => {
  const { status, sentence } = REFUSALS[code];
  expect([status >= 400 && status < 600, sentence.endsWith('.')]).toEqual([true, true]);
  expect(problemOf(new Refusal(code, 'rs'))).toEqual({
    type: `urn:consent-bridge:problem:${code}`,
    title: sentence,
    status,
    code,
    layer: 'rs',
  });
});

test('the names of the source document are kept', () => {
  const names =
    'MalformedCredential SignatureMismatch SignatureReplay CredentialDrift CredentialReplay CredentialExpired ' +
    'UnknownIssuer WrongAudience PayloadDriftAtMint PolicyDenied UnknownApprover Unauthorized ApprovalRequired ' +
    'Declined ExecutionIndeterminate';
  expect(names.split(' ').filter((name) => !isRefusalCode(name))).toEqual([]);
});

test('a problem document reveals path and missing scopes, and nothing else that was put into the refusal', () => {
  const refusal = new Refusal('Unauthorized', 'dispatcher', {
    path: 'args.amount',
    detail: 'token eyJhbGciOi',
    missingScopes: ['tasks.write'],
  });
  Object.assign(refusal, { cause: 'secret', args: { password: 'secret' } });
  const problem = problemOf(refusal);
  expect(Object.keys(problem).sort()).toEqual(
    ['code', 'layer', 'missing_scopes', 'path', 'status', 'title', 'type'].sort(),
  );
  expect(problem).toMatchObject({ path: 'args.amount', missing_scopes: ['tasks.write'] });
  expect(JSON.stringify(problem)).not.toMatch(/eyJ|secret|stack/);
});

test('detail is kept for the record of the refusing domain, and a root path is still a path', () => {
  expect(new Refusal('Internal', 'vault', { detail: 'disk full' }).detail).toBe('disk full');
  expect(problemOf(new Refusal('MalformedJson', 'vault', { path: '' }))).toHaveProperty('path', '');
});
