import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fixture, RESOURCE, START_MS } from './fixture.js';
import { b64, jws, keyPair, rawSign, signRaw } from './keys.js';

const f = new Fixture();
beforeAll(() => f.start());
afterAll(() => f.close());
beforeEach(() => {
  f.nowMs += 60_000;
});

/** The verdict on an honest call whose credential was replaced. */
const withCredential = (credential: string, payload = f.payload()) =>
  f.verdict(f.request({ payload, body: { credential } }));

describe('an honest credential', () => {
  it('runs the action once, and only that one', async () => {
    const answer = await f.execute(f.request());
    expect(answer).toMatchObject({ status: 200, body: { status: 'success' } });
    expect(answer.body.result).toEqual({ deleted: 't-1' });
    expect(await f.taskIds()).toEqual(['t-2', 't-3']);
  });
});

describe('shape of the JWS', () => {
  const shapes: [string, (good: string) => string][] = [
    ['empty', () => ''],
    ['two parts', (good) => good.split('.').slice(0, 2).join('.')],
    ['four parts', (good) => `${good}.x`],
    ['an empty signature', (good) => good.replace(/\.[^.]*$/, '.')],
    ['padded base64', (good) => `${good}==`],
    ['white space', (good) => `${good}\n`],
    ['the base64 alphabet', (good) => good.replace(/.$/, '+')],
    ['unused trailing bits set', (good) => good.replace(/.$/, (c) => (c === 'A' ? 'B' : 'h'))],
    ['JSON serialization', (good) => JSON.stringify({ payload: good })],
  ];
  it.each(shapes)('%s is refused', async (_name, bend) => {
    const payload = f.payload();
    const good = f.vault.mint(f.claims(payload));
    expect(await withCredential(bend(good), payload)).toBe('MalformedCredential');
  });

  it('duplicate members in header or claims are refused', async () => {
    const payload = f.payload();
    const claims = JSON.stringify(f.claims(payload));
    const header = JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: f.vault.key.keyId });
    for (const [h, c] of [
      [header.replace('{', '{"alg":"none",'), claims],
      [header, claims.replace('{', `{"aud":"${RESOURCE}",`)],
    ]) {
      const input = `${b64(h!)}.${b64(c!)}`;
      const credential = `${input}.${b64(rawSign(f.vault.key, Buffer.from(input)))}`;
      expect(await withCredential(credential, payload)).toBe('MalformedCredential');
    }
  });

  it('bytes that are not UTF-8 are refused', async () => {
    const payload = f.payload();
    const header = JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: f.vault.key.keyId });
    const claims = JSON.stringify(f.claims(payload, { azp: '\xff' }));
    const input = `${b64(header)}.${b64(Buffer.from(claims, 'latin1'))}`;
    const credential = `${input}.${b64(rawSign(f.vault.key, Buffer.from(input)))}`;
    expect(await withCredential(credential, payload)).toBe('MalformedCredential');
  });
});

describe('header', () => {
  const evil = keyPair();
  const headers: [string, object][] = [
    ['alg none', { alg: 'none' }],
    ['alg of another key type', { alg: 'EdDSA' }],
    ['alg in another case', { alg: 'es256' }],
    ['an algorithm that is not listed', { alg: 'RS256' }],
    ['no typ', { typ: undefined }],
    ['typ JWT', { typ: 'JWT' }],
    ['typ of a client assertion', { typ: 'client-authentication+jwt' }],
    ['no kid', { kid: undefined }],
    ['kid path traversal', { kid: '../../dev/null' }],
    ['kid SQL', { kid: "x' OR '1'='1" }],
    ['jku', { jku: 'http://127.0.0.1:1/evil' }],
    ['x5u', { x5u: 'http://127.0.0.1:1/evil' }],
    ['jwk', { jwk: evil.jwk }],
    ['x5c', { x5c: ['AAAA'] }],
    ['crit', { crit: ['exp'] }],
    ['b64 false', { b64: false, crit: ['b64'] }],
  ];
  it.each(headers)('%s is refused and nothing is fetched', async (_name, header) => {
    await f.verdict(f.request({ payload: f.payload({ args: { task_id: 't-9' } }) }));
    const before = f.vault.seen.length;
    const payload = f.payload();
    const credential = f.vault.mint(f.claims(payload), header);
    expect(await withCredential(credential, payload)).toBe('MalformedCredential');
    expect(f.vault.seen).toHaveLength(before);
  });

  it('alg none with an empty or any signature is refused', async () => {
    const payload = f.payload();
    const header = b64(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: f.vault.key.keyId }));
    const input = `${header}.${b64(JSON.stringify(f.claims(payload)))}`;
    expect(await withCredential(`${input}.`, payload)).toBe('MalformedCredential');
    expect(await withCredential(`${input}.AAAA`, payload)).toBe('MalformedCredential');
  });

  it('HS256 with the public key as the secret is refused', async () => {
    const payload = f.payload();
    const header = { alg: 'HS256', typ: 'at+jwt', kid: f.vault.key.keyId };
    const input = `${b64(JSON.stringify(header))}.${b64(JSON.stringify(f.claims(payload)))}`;
    const { publicKey } = f.vault.key;
    for (const secret of [
      publicKey.export({ format: 'pem', type: 'spki' }),
      publicKey.export({ format: 'der', type: 'spki' }),
      JSON.stringify(f.vault.key.jwk),
    ]) {
      const mac = createHmac('sha256', secret).update(input).digest('base64url');
      expect(await withCredential(`${input}.${mac}`, payload)).toBe('MalformedCredential');
    }
  });

  it('a key that is not published, or another key behind a published kid, is refused', async () => {
    const payload = f.payload();
    const claims = f.claims(payload);
    expect(await withCredential(f.vault.mint(claims, {}, evil), payload)).toBe('UnknownIssuer');
    const posing = jws(evil, { alg: 'ES256', typ: 'at+jwt', kid: f.vault.key.keyId }, claims);
    expect(await withCredential(posing, payload)).toBe('UnknownIssuer');
  });

  it('claims changed in transit are refused', async () => {
    const payload = f.payload();
    const [header, , signature] = f.vault.mint(f.claims(payload)).split('.');
    const claims = b64(JSON.stringify(f.claims(payload, { sub: 'mallory' })));
    const credential = `${header!}.${claims}.${signature!}`;
    expect(await withCredential(credential, payload)).toBe('UnknownIssuer');
  });
});

describe('claims', () => {
  const detail = (args: object) => ({
    type: 'consent_bridge_action',
    command: 'delete_task',
    args,
  });
  const seconds = (delta: number) => Math.floor(f.nowMs / 1000) + delta;
  const cases: [string, () => object, string][] = [
    ['another issuer', () => ({ iss: 'http://127.0.0.1:8422/' }), 'UnknownIssuer'],
    ['aud of another server', () => ({ aud: 'http://evil.example' }), 'WrongAudience'],
    ['aud [evil]', () => ({ aud: ['http://evil.example'] }), 'WrongAudience'],
    ['aud [us, evil]', () => ({ aud: [RESOURCE, 'http://evil.example'] }), 'WrongAudience'],
    ['aud [us, us]', () => ({ aud: [RESOURCE, RESOURCE] }), 'WrongAudience'],
    ['aud []', () => ({ aud: [] }), 'WrongAudience'],
    ['aud with a slash', () => ({ aud: `${RESOURCE}/` }), 'WrongAudience'],
    ['no aud', () => ({ aud: undefined }), 'MalformedCredential'],
    ['iat after exp', () => ({ iat: seconds(301) }), 'MalformedCredential'],
    ['iat 31 s ahead', () => ({ iat: seconds(31) }), 'MalformedCredential'],
    ['nbf 31 s ahead', () => ({ nbf: seconds(31) }), 'MalformedCredential'],
    ['nbf as text', () => ({ nbf: '0' }), 'MalformedCredential'],
    ['exp as text', () => ({ exp: String(seconds(300)) }), 'MalformedCredential'],
    ['fractional exp', () => ({ exp: seconds(300) + 0.5 }), 'MalformedCredential'],
    ['another client', () => ({ client_id: 'other-agent' }), 'WrongClient'],
    ['no client', () => ({ client_id: undefined }), 'WrongClient'],
    ['no detail', () => ({ authorization_details: [] }), 'MalformedCredential'],
    [
      'two details',
      () => ({ authorization_details: [detail({ task_id: 't-1' }), detail({ task_id: 't-2' })] }),
      'MalformedCredential',
    ],
    [
      'a detail of an unknown type',
      () => ({ authorization_details: [{ ...detail({ task_id: 't-1' }), type: 'payment' }] }),
      'MalformedCredential',
    ],
    [
      'a detail with a member more',
      () => ({ authorization_details: [{ ...detail({ task_id: 't-1' }), also: 1 }] }),
      'MalformedCredential',
    ],
    ['no jti', () => ({ jti: undefined }), 'MalformedCredential'],
    ['no consent', () => ({ consent: undefined }), 'MalformedCredential'],
  ];
  it.each(cases)('%s', async (_name, claims, code) => {
    expect(await f.verdict(f.request({ claims: claims() }))).toBe(code);
  });

  it('aud as an array that names this server alone is accepted', async () => {
    const payload = f.payload({ args: { task_id: 't-2' } });
    expect(await f.verdict(f.request({ payload, claims: { aud: [RESOURCE] } }))).toBe('success');
  });

  it('iat after exp is refused also where the skew would forgive both', async () => {
    const payload = f.payload({ args: { task_id: 't-99' }, exp: seconds(-10) });
    expect(await f.verdict(f.request({ payload, claims: { iat: seconds(-9) } }))).toBe(
      'MalformedCredential',
    );
    expect(await f.verdict(f.request({ payload, claims: { iat: seconds(-10) } }))).toBe('failure');
  });

  it('iat and nbf 30 s ahead are accepted', async () => {
    const payload = f.payload({ args: { task_id: 't-3' } });
    const claims = { iat: seconds(30), nbf: seconds(30) };
    expect(await f.verdict(f.request({ payload, claims }))).toBe('success');
  });

  it('expires 30 s after the signed exp, not before and not later', async () => {
    const payload = f.payload({ args: { task_id: 't-99' } });
    const early = f.request({ payload });
    const late = f.request({ payload: f.payload({ args: { task_id: 't-99' } }) });
    f.nowMs = payload.exp * 1000 + 30_000;
    expect(await f.verdict(late)).toBe('CredentialExpired');
    f.nowMs -= 1;
    expect(await f.verdict(early)).toBe('failure');
    expect(f.nowMs).toBeGreaterThan(START_MS);
  });

  it('an unknown claim beside the known ones is let through', async () => {
    const payload = f.payload({ args: { task_id: 't-99' } });
    expect(await f.verdict(f.request({ payload, claims: { azp: 'x' } }))).toBe('failure');
  });

  it('EdDSA credentials verify with an Ed25519 key', async () => {
    const ed = keyPair('EdDSA');
    f.vault.published.push(ed);
    const payload = f.payload({ args: { task_id: 't-99' } });
    const credential = f.vault.mint(f.claims(payload), {}, ed);
    expect(await withCredential(credential, payload)).toBe('failure');
  });

  it('an RSA key in the set never verifies a credential', async () => {
    const rsa = keyPair('RS256');
    f.vault.published.push(rsa);
    const payload = f.payload();
    expect(await withCredential(f.vault.mint(f.claims(payload), {}, rsa), payload)).toBe(
      'MalformedCredential',
    );
  });
});

it('a form 1 approval, which names no client, may lack the claim', async () => {
  const { v, aud, client_id, nonce, ...form1 } = f.payload({ args: { task_id: 't-99' } });
  expect({ v, aud, client_id, nonce: typeof nonce }).toMatchObject({ v: 2 });
  const signed = signRaw(f.alice, form1);
  expect(await f.verdict(f.request({ payload: form1, signed }))).toBe('failure');
  const other = { ...form1, binding_message: 'again' };
  const claims = { client_id: 'other-agent' };
  expect(
    await f.verdict(f.request({ payload: other, claims, signed: signRaw(f.alice, other) })),
  ).toBe('WrongClient');
});
