import SQLite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusalCode } from '../../../src/contract/errors.js';
import { refusalOf } from '../../../vault/http/problems.js';
import { parseForm } from '../../../vault/http/form.js';
import { expectRefusal } from './support/refusals.js';
import { form2, rawSigner } from './support/signers.js';
import type { Body } from './support/test-vault.js';
import {
  assertion,
  dataDirectory,
  listen,
  openTestVault,
  tokenForm,
} from './support/test-vault.js';

const PATHS = [
  '/v1/signatures/examine',
  '/v1/enrolments/options',
  '/v1/enrolments/finish',
  '/v1/sign-in/options',
  '/v1/sign-in/finish',
  '/v1/sign-in/key',
];

async function served() {
  const vault = openTestVault(dataDirectory());
  return { vault, http: await listen(vault) };
}

describe('whatever comes, a typed refusal goes out', () => {
  it.each(PATHS)('%s', async (path) => {
    const { vault, http } = await served();
    const bodies = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('', '{', '{"a":1,"a":2}', '{"a":"\\ud800"}', '1e400', '[]', 'null', '\u0000'),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const answer = await http.post(path, body, 'consent-ui');
        // An empty object is the one right body of the one route that takes nothing.
        if (path.endsWith('sign-in/options') && /^\s*\{\s*\}\s*$/.test(body)) return;
        expect(isRefusalCode(answer.body.code)).toBe(true);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
    expect(vault.log).toEqual([]);
  });

  it('to a signed payload of any shape', async () => {
    const { vault } = await served();
    const alice = rawSigner('es256').sign(form2());
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (one, two) => {
        for (const input of [
          one,
          { payload: one, signature: two },
          { ...alice, payload: one },
          { ...alice, signature: one },
        ]) {
          const outcome = await vault
            .as()
            .mint(input as never)
            .catch((error: unknown) => error);
          expect(isRefusalCode(Object(outcome).code)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('to token requests of any shape', async () => {
    const { vault, http } = await served();
    const form = tokenForm((await vault.enrolRaw()).sign(form2()));
    const name = fc.constantFrom(...Object.keys(form));
    await fc.assert(
      fc.asyncProperty(name, fc.string({ unit: 'binary' }), async (member, value) => {
        const { status, body } = await http.token({ ...form, mint_id: 'short', [member]: value });
        expect(isRefusalCode(body.code)).toBe(true);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['a byte order mark', '\ufeff{}', 'MalformedJson', 400],
    ['an empty body', '', 'MalformedJson', 400],
    ['nesting without end', '['.repeat(100_000), 'MalformedJson', 400],
    ['a body that is too large', `"${'x'.repeat(262_144)}"`, 'PayloadTooLarge', 413],
  ])('to %s', async (_name, body, code, status) => {
    const { http } = await served();
    const answer = await http.post('/v1/sign-in/options', body, 'consent-ui');
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  });

  it('to bytes that are not UTF-8, and never with another character in their place', async () => {
    const { http } = await served();
    const bytes = Buffer.from('{"assertion":"\xff","aud":"x"}', 'latin1');
    const answer = await http.post('/v1/sign-in/key', bytes, 'consent-ui');
    expect(answer.body.code).toBe('MalformedJson');
  });

  it('to other media types, paths and methods', async () => {
    const { http } = await served();
    const text = await fetch(`${http.url}/v1/sign-in/options`, { method: 'POST', body: '{}' });
    expect(((await text.json()) as Body).code).toBe('MalformedRequest');
    expect((await http.get('/')).body.code).toBe('NotFound');
    expect((await http.get('/%zz')).body.code).toBe('MalformedRequest');
    expect((await http.get(`/v1/approvers/${'a'.repeat(300)}/keys`, 'rs')).body.code).toBe(
      'MalformedRequest',
    );
    expect((await http.get('/token')).body.code).toBe('NotFound');
  });

  it('to authorization headers of any kind', async () => {
    const { http } = await served();
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      'Basic eA==',
      `Bearer ${assertion('rs')} x`,
      'Bearer a.b.c',
    ]) {
      const response = await fetch(`${http.url}/v1/approvers/a/keys`, {
        headers: { authorization },
      });
      expect(response.status).toBe(401);
    }
  });

  it('never with a stack, a token or a key in it', async () => {
    const { vault, http } = await served();
    vault.close();
    const answer = await http.post('/v1/sign-in/options', {}, 'consent-ui');
    expect(answer).toMatchObject({ status: 500, body: { code: 'Internal', layer: 'vault' } });
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'layer', 'status', 'title', 'type']);
    expect(vault.log).toHaveLength(1);
  });
});

describe('an error nobody foresaw', () => {
  it.each([
    [new SQLite.SqliteError('database is locked', 'SQLITE_BUSY'), 'Unavailable'],
    [new SQLite.SqliteError('disk is full', 'SQLITE_FULL'), 'Unavailable'],
    [new SQLite.SqliteError('no such table', 'SQLITE_ERROR'), 'Internal'],
    [new TypeError('x is undefined'), 'Internal'],
    ['thrown text', 'Internal'],
  ])('%s goes to the log, and out as %s', (error, code) => {
    const log: string[] = [];
    expect(refusalOf(error, (line) => log.push(line)).code).toBe(code);
    expect(log).toHaveLength(1);
  });
});

describe('form bodies', () => {
  it('are read exactly', () => {
    expect(parseForm('a=1&b=x+y%20z%C3%A9&c=&d&e=f=g&&__proto__=p')).toEqual(
      Object.fromEntries([
        ['a', '1'],
        ['b', 'x y zé'],
        ['c', ''],
        ['d', ''],
        ['e', 'f=g'],
        ['__proto__', 'p'],
      ]),
    );
  });
  it.each(['a=%', 'a=%zz', 'a=%ff', '%=1', 'a=1&a=1', 'a=1&%61=2'])('refuses %s', async (body) => {
    await expectRefusal(() => parseForm(body), 'MalformedRequest');
  });
});
