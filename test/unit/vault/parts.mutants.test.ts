import { createSecretKey } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { describe, expect, it, test } from 'vitest';
import { Refusal } from '../../../src/contract/errors.js';
import type { RefusalCode } from '../../../src/contract/errors.js';
import { authenticationResponse, registrationResponse } from '../../../vault/ceremony-shapes.js';
import { checkAgent } from '../../../vault/checks/check-agent.js';
import { checkKnownForm } from '../../../vault/checks/check-known-form.js';
import { checkNotExpired } from '../../../vault/checks/check-not-expired.js';
import { checkRarType } from '../../../vault/checks/check-rar-type.js';
import { checkTtl } from '../../../vault/checks/check-ttl.js';
import { isCurrent } from '../../../vault/clients.js';
import { Consent } from '../../../vault/consent.js';
import { publicKeyOfCose } from '../../../vault/cose-key.js';
import { ExpiringMap } from '../../../vault/expiring-map.js';
import { isOneCborMap } from '../../../vault/extension-data.js';
import { verifyHmac } from '../../../vault/hmac-signature.js';
import { parseForm } from '../../../vault/http/form.js';
import { refusalOf } from '../../../vault/http/problems.js';
import { sendTokenError } from '../../../vault/http/token-errors.js';
import { isIpAddress } from '../../../vault/ip-address.js';
import { readJws } from '../../../vault/jws.js';
import { MemorySignatureStore } from '../../../vault/memory-signature-store.js';
import type { Offer, VerifiedConsent } from '../../../vault/mint.js';
import { importPublicJwk } from '../../../vault/public-key.js';
import { verifyRaw } from '../../../vault/raw-signature.js';
import { refuse } from '../../../vault/refuse.js';
import { warnIfReadable } from '../../../vault/warn-if-readable.js';
import { expectRefusal } from './support/refusals.js';
import { form1, form2, NOW, rawSigner, signWithHmac } from './support/signers.js';
import { dataDirectory } from './support/test-vault.js';

const alice = rawSigner('eddsa');
const read = (changes = {}) => Consent.read(alice.sign(form2(changes)));

describe('extension outputs are one CBOR map', () => {
  const text = (n: number) => 'e1'.repeat(n);
  const taken: [string, string][] = [
    ['nothing in it', 'a0'],
    ['a text', 'a1616162c3a9'],
    ['octets', 'a1616142ffff'],
    ['a length in one octet', `a161615818${text(24)}`],
    ['a length in two', `a16161790100${text(256)}`],
    ['a length in four', `a161617a00000003${text(3)}`],
    ['the longest length without one', `a1616157${text(23)}`],
    ['numbers of each width', 'a5011702180003190000041a00000000201820'],
    ['truth and nothing', 'a3616af5616bf4616cf6'],
    ['a list of lists', 'a161618201820203'],
    ['a map in a map', 'a16161a201020304'],
    ['a tag', 'a16161c101'],
    ['a list behind a tag', 'a16161c18101'],
    ['two members', 'a2616101616202'],
    ['24 members', `b818${'0101'.repeat(24)}`],
  ];
  test.each(taken)('%s', (_what, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(isOneCborMap(bytes)).toBe(true);
    // Nothing may be missing, and nothing may follow.
    const cut = Array.from(bytes.keys(), (end) => isOneCborMap(bytes.subarray(0, end)));
    expect(cut).toEqual(Array(bytes.length).fill(false));
    expect(isOneCborMap(Buffer.concat([bytes, Buffer.from('01', 'hex')]))).toBe(false);
    expect(isOneCborMap(Buffer.concat([bytes, bytes]))).toBe(false);
  });

  test.each([
    ['nothing', ''],
    ['a list', '80'],
    ['a number', '01'],
    ['a text', '6161'],
    ['a tagged map', 'c1a0'],
    ['a map without an end', 'bfff'],
    ['a text without a length', 'a161617f6161ff'],
    ['a length in eight octets', 'a161617b0000000000000001e1'],
    ['reserved lengths', 'a16161fc'],
    ['many members that are not there', 'baffffffff'],
  ])('no: %s', (_what, hex) => {
    expect(isOneCborMap(Buffer.from(hex, 'hex'))).toBe(false);
  });
});

describe('a COSE key is of an algorithm that was asked for', () => {
  const [ec, okp] = [rawSigner('es256').publicJwk, rawSigner('eddsa').publicJwk];
  /** As large as one of 2048 bits: it signs nothing. */
  const modulus = new Uint8Array(256).fill(0xc1);
  const octets = (text: unknown) => new Uint8Array(Buffer.from(String(text), 'base64url'));
  const members = {
    EC: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, octets(ec['x'])],
      [-3, octets(ec['y'])],
    ],
    OKP: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, octets(okp['x'])],
    ],
    RSA: [
      [1, 3],
      [3, -257],
      [-1, modulus],
      [-2, new Uint8Array([1, 0, 1])],
    ],
  } as const;
  const cose = (kind: keyof typeof members, changes: Record<number, unknown> = {}) =>
    isoCBOR.encode(
      new Map<never, never>([
        ...new Map<number, unknown>([
          ...members[kind],
          ...Object.entries(changes).map(([label, value]) => [Number(label), value] as const),
        ]),
      ] as never),
    );

  it('and says so itself', () => {
    const algorithms = (['EC', 'OKP', 'RSA'] as const).map(
      (kind) => publicKeyOfCose(cose(kind)).alg,
    );
    expect(algorithms).toEqual(['ES256', 'EdDSA', 'RS256']);
  });

  test.each([
    ['EC with the algorithm of another', 'EC', { 3: -8 }],
    ['EC with the algorithm of RSA', 'EC', { 3: -257 }],
    ['EC with an algorithm nobody asked for', 'EC', { 3: -35 }],
    ['EC on another curve', 'EC', { [-1]: 2 }],
    ['EC off its curve', 'EC', { [-3]: new Uint8Array(32) }],
    ['EC without a coordinate', 'EC', { [-3]: undefined }],
    ['OKP with the algorithm of EC', 'OKP', { 3: -7 }],
    ['OKP with the algorithm of RSA', 'OKP', { 3: -257 }],
    ['OKP on another curve', 'OKP', { [-1]: 4 }],
    ['RSA with the algorithm of EC', 'RSA', { 3: -7 }],
    ['RSA with an algorithm nobody asked for', 'RSA', { 3: -258 }],
    ['a small RSA', 'RSA', { [-1]: modulus.subarray(0, 128) }],
  ] as const)('%s is refused', async (_what, kind, changes) => {
    await expectRefusal(() => publicKeyOfCose(cose(kind, changes)), 'CeremonyFailed');
  });
});

describe('a JWS has one spelling', () => {
  const good = alice.jwt({ typ: 'x' }, { sub: 'alice' });
  const [head, body, made] = good.split('.') as [string, string, string];
  const encode = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
  const claims = JSON.stringify({ sub: 'alice' });

  it('read back as it was made', async () => {
    const jws = readJws(good, 'x', 'Unauthenticated');
    expect(jws).toMatchObject({ kid: alice.keyId, claims: { sub: 'alice' } });
    expect(await jws.isBy({ key: importPublicJwk(alice.publicJwk).key, alg: 'EdDSA' })).toBe(true);
    expect(await jws.isBy({ key: importPublicJwk(alice.publicJwk).key, alg: 'ES256' })).toBe(false);
  });

  test.each([
    ['a part before', `x.${good}`],
    ['a part behind', `${good}.x`],
    ['a line before', `\n${good}`],
    ['a line behind', `${good}\n`],
    ['an empty part', `${head}..${made}`],
    [
      'unused bits in the signature',
      `${head}.${body}.${made.slice(0, -1)}${made.endsWith('A') ? 'B' : 'h'}`,
    ],
    ['claims that are not UTF-8', `${head}.${encode(Buffer.from([0x7b, 0xff, 0x7d]))}.${made}`],
    [
      'a bad octet in a text',
      `${head}.${encode(Buffer.from([...Buffer.from('{"a":"'), 0xff, 0x22, 0x7d]))}.${made}`,
    ],
    ['claims behind a mark', `${head}.${encode(`\ufeff${claims}`)}.${made}`],
    ['claims that are no object', `${head}.${encode('[]')}.${made}`],
    ['claims that are no JSON', `${head}.${encode('{')}.${made}`],
    ['a claim twice', `${head}.${encode('{"a":1,"a":1}')}.${made}`],
    ['another typ', alice.jwt({ typ: 'y' }, {})],
    ['another header member', alice.jwt({ typ: 'x', jku: 'https://evil' }, {})],
    ['another algorithm', alice.jwt({ typ: 'x', alg: 'none' }, {})],
  ])('not with %s', async (_what, token) => {
    await expectRefusal(() => readJws(token, 'x', 'Unauthenticated'), 'Unauthenticated');
  });
});

describe('refusals of a payload name the member', () => {
  test.each<[string, RefusalCode, () => unknown]>([
    ['client_id', 'WrongClient', () => checkAgent(read(), () => false)],
    ['v', 'PayloadDriftAtMint', () => checkKnownForm({ v: 3 })],
    ['exp', 'CredentialExpired', () => checkNotExpired(read(), (NOW + 300) * 1000)],
    ['rar_type', 'PayloadDriftAtMint', () => checkRarType(read(), ['other'])],
    ['exp', 'PayloadDriftAtMint', () => checkTtl(read(), NOW * 1000, 299)],
    ['public_jwk', 'MalformedRequest', () => importPublicJwk({ ...alice.publicJwk, k: 'AA' })],
    ['public_jwk', 'MalformedRequest', () => importPublicJwk({ ...alice.publicJwk, d: 'AA' })],
    ['public_jwk', 'MalformedRequest', () => importPublicJwk({ kty: 'EC' })],
  ])('%s: %s', async (path, code, work) => {
    expect((await expectRefusal(work, code)).path).toBe(path);
  });

  it('of two unknown ones the first', async () => {
    const signed = { ...alice.sign(form2()), one: 1, two: 2 };
    expect((await expectRefusal(() => Consent.read(signed), 'MalformedPayload')).path).toBe('one');
  });
});

it('the record says of a consent whose it is, never its arguments', () => {
  const { hash, recordedFacts } = read({ nonce: 'consent-x' });
  const facts = {
    hash,
    approver_id: 'alice@example.com',
    key_id: alice.keyId,
    command: 'delete_task',
    exp: NOW + 300,
  };
  expect(recordedFacts).toEqual({ ...facts, client_id: 'agent-1', consent_id: 'consent-x' });
  const first = Consent.read(alice.sign(form1()));
  expect(first.recordedFacts).toEqual({ ...facts, hash: first.hash });
});

describe('a key of another kind verifies nothing', () => {
  const enrolled = { approverId: 'a', keyId: 'k', scheme: 'eddsa' } as const;

  it('a shared secret no raw signature', async () => {
    const secret = {
      ...enrolled,
      key: createSecretKey(Buffer.from('secret')),
      alg: 'HS256',
    } as const;
    await expectRefusal(() => verifyRaw(read(), secret), 'SignatureMismatch');
  });

  it('a public key no MAC', async () => {
    const { key, alg } = importPublicJwk(alice.publicJwk);
    const consent = Consent.read(signWithHmac('secret', form1()));
    await expectRefusal(() => verifyHmac(consent, { ...enrolled, key, alg }), 'SignatureMismatch');
  });
});

test.each([
  [0, 60, 0, true],
  [0, 60, -5, true],
  [0, 60, -5.001, false],
  [0, 60, 64.999, true],
  [0, 60, 65, false],
  [0, 61, 0, false],
  [0, 1, 0, true],
  [1, 1, 1, false],
  [2, 1, 1, false],
])('an assertion of %d to %d at %d: %s', (iat, exp, now, current) => {
  expect(isCurrent({ iat, exp }, now)).toBe(current);
});

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['[::1]', true],
  ['1[::1]', false],
  ['[::1]1', false],
  ['localhost', false],
  ['127.0.0.1.example', false],
])('%s is an IP address: %s', (host, is) => {
  expect(isIpAddress(host)).toBe(is);
});

test.each([
  ['=x', { '': 'x' }],
  ['x', { x: '' }],
  ['x=', { x: '' }],
  ['a=b=c&&d=%3D+%2B', { a: 'b=c', d: '= +' }],
])('the form %j', (body, form) => {
  expect(parseForm(body)).toEqual(form);
});

describe('a map whose entries expire', () => {
  const start = 1_000_000_000;
  const filled = () => {
    const time = { ms: start };
    const map = new ExpiringMap<number>(() => time.ms, 60);
    map.set('a', start / 1000, 1);
    return { time, map };
  };

  it('forgets them the time it keeps them past their end, not before', () => {
    const { time, map } = filled();
    time.ms = start + 60_000;
    map.set('b', start / 1000 + 1000, 2);
    expect([map.get('a'), map.size, map.forgottenBefore]).toEqual([1, 2, start / 1000]);
    time.ms = start + 120_000;
    map.set('c', start / 1000 + 1000, 3);
    expect([map.get('a'), map.get('b'), map.size]).toEqual([undefined, 2, 2]);
    expect(map.forgottenBefore).toBe(start / 1000 + 60);
  });

  it('at most once a minute, whichever way the clock goes', () => {
    const { time, map } = filled();
    expect(map.forgottenBefore).toBe(start / 1000 - 60);
    time.ms = start + 59_999;
    map.set('b', 0, 2);
    expect(map.forgottenBefore).toBe(start / 1000 - 60);
    time.ms = start - 60_000;
    map.set('c', 0, 3);
    expect(map.forgottenBefore).toBe(start / 1000 - 60);
    // Swept then, so that the next is a minute from there.
    time.ms = start - 1;
    map.set('d', 0, 4);
    expect(map.get('b')).toBeUndefined();
    expect(map.get('d')).toBe(4);
  });
});

describe('used signatures in memory', () => {
  const HOUR = 3600;
  const verified = (changes = {}, counter?: number) =>
    ({
      consent: read(changes),
      approverKey: { keyId: 'k' },
      counter,
    }) as unknown as VerifiedConsent;
  const offer = (jti: string, presentation = jti): Offer => ({
    ...{ jti, iat: NOW, presentation: Buffer.from(presentation), presentedBy: 'bridge' },
  });
  const opened = () => {
    const time = { ms: NOW * 1000 };
    return { time, store: new MemorySignatureStore(() => time.ms) };
  };

  it('are told apart by who presents them', async () => {
    const { store } = opened();
    const one = verified();
    expect(await store.spend(one, offer('1', 'p'))).toEqual({ jti: '1', iat: NOW });
    expect(await store.spend(one, offer('2', 'p'))).toEqual({ jti: '1', iat: NOW });
    await expectRefusal(() => store.spend(one, offer('3')), 'SignatureReplay');
  });

  it('and those that may be forgotten stay refused', async () => {
    const { time, store } = opened();
    const [one, same, young] = [{ exp: NOW }, { exp: NOW }, { exp: NOW + 1 }].map((c) =>
      verified(c),
    );
    await store.spend(one!, offer('1'));
    time.ms += 2 * HOUR * 1000 - 1;
    await store.spend(verified({ exp: NOW + 3 * HOUR }), offer('2'));
    await expectRefusal(() => store.spend(one!, offer('3')), 'SignatureReplay');
    time.ms += 60_001 + 1000;
    await store.spend(verified({ exp: NOW + 3 * HOUR }), offer('4'));
    time.ms = NOW * 1000;
    await expectRefusal(() => store.spend(one!, offer('5')), 'CredentialExpired');
    await expectRefusal(() => store.spend(same!, offer('6')), 'CredentialExpired');
    await expectRefusal(() => store.spend(young!, offer('7')), 'CredentialExpired');
  });

  it('the deadline itself is not forgotten yet', async () => {
    const { store, time } = opened();
    await store.spend(verified({ exp: NOW + 4 * HOUR }), offer('1'));
    time.ms += 2 * HOUR * 1000;
    await store.spend(verified({ exp: NOW + 4 * HOUR }), offer('2'));
    expect(await store.spend(verified({ exp: NOW }), offer('3'))).toEqual({ jti: '3', iat: NOW });
  });

  it('advance the counter', async () => {
    const { store } = opened();
    await store.spend(verified({}, 5), offer('1'));
    await expectRefusal(() => store.spend(verified({}, 5), offer('2')), 'AuthenticatorCloned');
    await expectRefusal(() => store.spend(verified({}, 4), offer('3')), 'AuthenticatorCloned');
    await store.spend(verified({}, 6), offer('4'));
    // A scheme without a counter has none that could go back, and takes none away.
    await store.spend(verified(), offer('5'));
    await expectRefusal(() => store.spend(verified({}, 6), offer('6')), 'AuthenticatorCloned');
  });
});

describe('what a caller gets to know', () => {
  const codeOf = (error: unknown, log: string[] = []) =>
    refusalOf(error, (line) => log.push(line)).code;
  const http = (statusCode: number) => Object.assign(new Error('x'), { statusCode });

  test.each([
    [400, 'MalformedRequest'],
    [499, 'MalformedRequest'],
    [399, 'Internal'],
    [200, 'Internal'],
    [500, 'Internal'],
    [503, 'Internal'],
  ])('of an error with status %d: %s', (status, code) => {
    expect(codeOf(http(status))).toBe(code);
  });

  it('of anything else nothing; the operator sees where it was thrown', () => {
    const log: string[] = [];
    const bare = Object.assign(new Error('no stack'), { stack: undefined });
    expect([codeOf(http(500), log), codeOf(bare, log), codeOf('text', log)]).toEqual(
      Array(3).fill('Internal'),
    );
    expect(log[0]).toMatch(/ at /);
    expect(log.slice(1)).toEqual(['no stack', 'text']);
  });

  test.each<[RefusalCode, string | undefined, number, string]>([
    ['Unauthenticated', undefined, 401, 'invalid_client'],
    ['Forbidden', undefined, 400, 'unauthorized_client'],
    ['MalformedRequest', 'mint_id', 400, 'invalid_request'],
    ['MalformedRequest', 'grant_type', 400, 'unsupported_grant_type'],
    ['MalformedPayload', 'grant_type', 400, 'invalid_grant'],
    ['MalformedJson', '', 400, 'invalid_request'],
    ['PayloadTooLarge', undefined, 413, 'invalid_request'],
    ['PolicyDenied', undefined, 400, 'access_denied'],
    ['SignatureReplay', undefined, 400, 'invalid_grant'],
    ['Internal', undefined, 500, 'server_error'],
    ['Unavailable', undefined, 503, 'temporarily_unavailable'],
  ])('OAuth’s word for %s at %s', async (code, path, status, error) => {
    const app = fastify();
    app.get('/', (_request, reply) =>
      sendTokenError(reply, refuse(code, path === undefined ? {} : { path })),
    );
    const { statusCode, headers, body } = await app.inject('/');
    const answer = JSON.parse(body) as object;
    expect([statusCode, headers['cache-control']]).toEqual([status, 'no-store']);
    expect(answer).toMatchObject({ error, code, layer: 'vault' });
    expect(Object.hasOwn(answer, 'path') ? answer : { path: undefined }).toHaveProperty(
      'path',
      path,
    );
    await app.close();
  });
});

describe('what a browser sends back', () => {
  const registration = {
    ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
    response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
  };
  const authentication = {
    ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
    response: {
      clientDataJSON: 'AAAA',
      authenticatorData: 'AAAA',
      signature: 'AAAA',
      userHandle: 'AAAA',
    },
  };
  const extensions = { clientExtensionResults: {} };

  it('is taken without what nobody looks at', () => {
    for (const [shape, honest] of [
      [registrationResponse, registration],
      [authenticationResponse, authentication],
    ] as const) {
      const more = { ...honest, more: 1, response: { ...honest.response, more: 1 } };
      expect(shape.parse(more)).toEqual({ ...honest, ...extensions });
    }
    const anonymous = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
    const parsed = authenticationResponse.parse({ ...authentication, response: anonymous });
    expect(Object.keys(parsed.response).sort()).toEqual(Object.keys(anonymous).sort());
  });

  it('but with all that is needed, as base64url', () => {
    for (const [shape, honest] of [
      [registrationResponse, registration],
      [authenticationResponse, authentication],
    ] as const) {
      for (const member of ['id', 'rawId', 'type', 'response'])
        for (const bad of [undefined, '', '=', 7])
          expect(shape.safeParse({ ...honest, [member]: bad }).success).toBe(false);
      for (const member of Object.keys(honest.response))
        for (const bad of ['', '=', 7])
          expect(
            shape.safeParse({ ...honest, response: { ...honest.response, [member]: bad } }).success,
          ).toBe(false);
    }
  });
});

it('a file that others may read is told, a missing one is not', () => {
  const directory = dataDirectory();
  const [mine, theirs, missing] = ['mine', 'theirs', 'missing'].map((name) =>
    join(directory, name),
  );
  for (const file of [mine!, theirs!]) writeFileSync(file, '');
  const told = (mode: number) => {
    chmodSync(mine!, 0o600);
    chmodSync(theirs!, mode);
    const lines: string[] = [];
    warnIfReadable([mine!, missing!, theirs!], (line) => lines.push(line));
    return lines;
  };
  for (const mode of [0o640, 0o604, 0o610]) {
    const lines = told(mode);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(theirs);
  }
  expect(told(0o700)).toEqual([]);
});

it('a refusal of the vault is the vault’s', () => {
  expect(refuse('Internal')).toBeInstanceOf(Refusal);
  expect(refuse('Internal').layer).toBe('vault');
});
