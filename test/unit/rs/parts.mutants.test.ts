import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { parseAuthenticatorData } from '../../../rs/checks/authenticator-data.js';
import { clientAssertion, loadPrivateKey } from '../../../rs/client-assertion.js';
import { ClientAuthentication } from '../../../rs/client-authentication.js';
import { readableByOthers, readConfig, rsConfig, ruleOf } from '../../../rs/config.js';
import { decodeBase64url, parseJws } from '../../../rs/jws.js';
import { SCHEME_ALGORITHMS } from '../../../rs/pinned-key.js';
import { loadPublicKey } from '../../../rs/public-key.js';
import { verifySignature } from '../../../rs/signature-algorithms.js';
import { TaskStore } from '../../../rs/actions/task-store.js';
import { runTask, taskDefinitions } from '../../../rs/actions/tasks.js';
import { Fixture, RESOURCE } from './fixture.js';
import { b64, jws, keyPair, rawSign } from './keys.js';

const NOW = 1_900_000_000;
const dir = mkdtempSync(join(tmpdir(), 'rs-parts-'));
afterAll(() => rmSync(dir, { recursive: true }));

describe('a JWS', () => {
  const key = keyPair();
  const header = { alg: 'ES256', typ: 'x', kid: key.keyId };
  const good = jws(key, header, { a: 1 });
  const [head, body, made] = good.split('.') as [string, string, string];
  const withHeader = (change: object) => jws(key, { ...header, ...change }, {});

  it('is taken apart as it was signed', () => {
    const parsed = parseJws(good);
    expect(parsed).toMatchObject({ header, payload: { a: 1 } });
    expect(Buffer.from(parsed.signingInput).toString()).toBe(`${head}.${body}`);
    expect(b64(parsed.signature)).toBe(made);
  });

  test.each([
    ['a part more', `${good}.x`],
    ['a part less', `${head}.${body}`],
    ['an empty signature', `${head}.${body}.`],
    ['an empty part', `${head}..${made}`],
    ['padding', `${good}=`],
    ['a member beside', withHeader({ jku: 'x' })],
    ['no kid', withHeader({ kid: undefined })],
    ['an empty kid', withHeader({ kid: '' })],
    ['a long kid', withHeader({ kid: 'a'.repeat(129) })],
    ['a path as kid', withHeader({ kid: '../a' })],
    ['a kid with a dot behind', withHeader({ kid: 'a.' })],
    ['a kid with a dot before', withHeader({ kid: '.a' })],
    ['claims that are not UTF-8', `${head}.${b64(Buffer.from([0x22, 0xff, 0x22]))}.${made}`],
    ['claims behind a mark', `${head}.${b64('\ufeff{}')}.${made}`],
    ['claims that are no JSON', `${head}.${b64('{')}.${made}`],
  ])('is refused with %s', (_what, text) => {
    expect(() => parseJws(text)).toThrow(expect.objectContaining({ name: 'JwsError' }));
  });

  it('has a kid of 1 to 128 letters', () => {
    for (const kid of ['a', 'a'.repeat(128), 'aZ09_-'])
      expect(parseJws(withHeader({ kid })).header.kid).toBe(kid);
  });

  it('is base64url in its one spelling', () => {
    expect(decodeBase64url('AAAA')).toEqual(Buffer.alloc(3));
    for (const text of ['', 'A', 'AB', 'AAB', 'AA=', 'A+', ' AA', 'é'])
      expect(() => decodeBase64url(text)).toThrow();
  });
});

describe('a public key', () => {
  const [ec, okp] = (['ES256', 'EdDSA'] as const).map((alg) => keyPair(alg));
  /** Only as large as one: it signs nothing. */
  const rsaOf = (octets: number) => ({
    kty: 'RSA',
    n: b64(Buffer.alloc(octets, 0xc1)),
    e: 'AQAB',
  });
  const rsa = rsaOf(256);

  it('has the algorithm of its type and the id of its members', () => {
    for (const pair of [ec!, okp!, keyPair('RS256')]) {
      const about = { kid: 'k', use: 'sig', key_ops: ['verify'], ext: true, alg: pair.alg };
      const key = loadPublicKey({ ...pair.jwk, ...about });
      expect(key).toMatchObject({ keyId: pair.keyId, algorithm: pair.alg });
      expect(key.jwk).toEqual(pair.jwk);
      expect(loadPublicKey(pair.jwk).keyId).toBe(pair.keyId);
    }
    expect(loadPublicKey({ ...okp!.jwk, alg: 'Ed25519' }).algorithm).toBe('EdDSA');
  });

  it('of RSA has 2048 to 4096 bits', () => {
    for (const octets of [256, 384, 512])
      expect(loadPublicKey(rsaOf(octets)).algorithm).toBe('RS256');
    for (const octets of [128, 255, 513]) expect(() => loadPublicKey(rsaOf(octets))).toThrow();
  });

  test.each([
    ['a private member', { ...ec!.jwk, d: 'AA' }],
    ['a secret', { kty: 'oct', k: 'AA' }],
    ['another use', { ...ec!.jwk, use: 'enc' }],
    ['another operation', { ...ec!.jwk, key_ops: ['sign'] }],
    ['two operations', { ...ec!.jwk, key_ops: ['verify', 'verify'] }],
    ['no operation', { ...ec!.jwk, key_ops: [] }],
    ['another curve', { ...ec!.jwk, crv: 'P-384' }],
    ['no curve', { ...okp!.jwk, crv: undefined }],
    ['X25519', { ...okp!.jwk, crv: 'X25519' }],
    ['the algorithm of another', { ...ec!.jwk, alg: 'EdDSA' }],
    ['the algorithm of another', { ...okp!.jwk, alg: 'ES256' }],
    ['the algorithm of another', { ...rsa, alg: 'PS256' }],
    ['another exponent', { ...rsa, e: 'Aw' }],
    ['a short coordinate', { ...ec!.jwk, x: ec!.jwk.x!.slice(1) }],
    ['a long coordinate', { ...okp!.jwk, x: `A${okp!.jwk.x!}` }],
    ['a point off the curve', { ...ec!.jwk, y: ec!.jwk.x }],
    ['another type', { ...ec!.jwk, kty: 'OKP' }],
    ['nothing', undefined],
  ])('is refused with %s', (_what, jwk) => {
    expect(() => loadPublicKey(jwk)).toThrow();
  });

  it('of each scheme has the algorithms of that scheme', () => {
    expect(SCHEME_ALGORITHMS).toEqual({
      webauthn: ['ES256', 'EdDSA', 'RS256'],
      eddsa: ['EdDSA'],
      es256: ['ES256'],
      'hmac-sha256': [],
    });
  });

  it('verifies what it signed in the encoding asked for, and throws at nothing', async () => {
    const bytes = Buffer.from('bytes');
    for (const pair of [ec!, okp!, keyPair('RS256')]) {
      const key = loadPublicKey(pair.jwk);
      const made = rawSign(pair, bytes);
      expect(await verifySignature(key, bytes, made, 'raw')).toBe(true);
      expect(await verifySignature(key, bytes, made, 'der')).toBe(pair.alg !== 'ES256');
      for (const junk of [Buffer.alloc(0), Buffer.alloc(63), Buffer.alloc(64), Buffer.alloc(65)])
        for (const encoding of ['raw', 'der'] as const)
          expect(await verifySignature(key, bytes, junk, encoding)).toBe(false);
      expect(await verifySignature(key, Buffer.from('others'), made, 'raw')).toBe(false);
    }
  });
});

describe('authenticator data', () => {
  const made = (flags: number, rest = '', length = 37) =>
    Buffer.concat([
      Buffer.concat([Buffer.alloc(32, 7), Buffer.from([flags, 0, 0, 0, 1])]).subarray(0, length),
      Buffer.from(rest, 'hex'),
    ]);

  it('is read flag by flag', () => {
    const all = { rpIdHash: Buffer.alloc(32, 7) };
    const flags = (
      userPresent: boolean,
      userVerified: boolean,
      backupEligible: boolean,
      backedUp: boolean,
    ) => ({
      ...all,
      ...{ userPresent, userVerified, backupEligible, backedUp },
    });
    expect(parseAuthenticatorData(made(0))).toEqual(flags(false, false, false, false));
    expect(parseAuthenticatorData(made(1))).toEqual(flags(true, false, false, false));
    expect(parseAuthenticatorData(made(4))).toEqual(flags(false, true, false, false));
    expect(parseAuthenticatorData(made(8))).toEqual(flags(false, false, true, false));
    expect(parseAuthenticatorData(made(16))).toEqual(flags(false, false, false, true));
  });

  const extensions: [string, string][] = [
    ['nothing', 'a0'],
    ['a text', 'a16161626869'],
    ['octets', 'a1616142ffff'],
    ['a length in one octet', `a161615818${'00'.repeat(24)}`],
    ['a length in two', `a16161590100${'00'.repeat(256)}`],
    ['a length in four', 'a161615a00000003000000'],
    ['the longest length without one', `a1616157${'00'.repeat(23)}`],
    ['a list', 'a161618201820203'],
    ['a tag', 'a16161c18101'],
    ['numbers and truth', 'a4011702180003f50420'],
    ['as deep as may be', 'a1616181818101'],
  ];
  test.each(extensions)('ends with one map: %s', (_what, hex) => {
    expect(parseAuthenticatorData(made(0x80, hex)).userPresent).toBe(false);
    const octets = Buffer.from(hex, 'hex');
    for (let end = 0; end < octets.length; end++)
      expect(() =>
        parseAuthenticatorData(made(0x80, octets.subarray(0, end).toString('hex'))),
      ).toThrow();
    expect(() => parseAuthenticatorData(made(0x80, `${hex}00`))).toThrow();
    expect(() => parseAuthenticatorData(made(0, hex))).toThrow();
  });

  test.each([
    ['attested data', made(0x40)],
    ['an octet less', made(0, '', 36)],
    ['an octet more', made(0, '00')],
    ['nothing', Buffer.alloc(0)],
    ['no extensions where they are announced', made(0x80)],
    ['a list', made(0x80, '80')],
    ['a length in eight octets', made(0x80, 'a161615b0000000000000001ff')],
    ['no definite length', made(0x80, 'a161615f4100ff')],
    ['too deep', made(0x80, `a16161${'81'.repeat(4)}01`)],
  ])('is refused with %s', (_what, bytes) => {
    expect(() => parseAuthenticatorData(bytes)).toThrow();
  });
});

describe('this server’s own assertion', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  const maker = () => {
    const time = { ms: NOW * 1000 };
    let ids = 0;
    const make = clientAssertion({
      clientId: 'rs',
      privateKey: loadPrivateKey(JSON.stringify({ ...jwk, kid: 'mine' })),
      audience: 'https://vault',
      clock: () => time.ms,
      newJti: () => String(++ids),
    });
    return { time, make };
  };
  const claimsOf = (text: string) =>
    JSON.parse(Buffer.from(text.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

  it('says who it is for a minute', () => {
    const text = maker().make();
    const { header, signingInput, signature } = parseJws(text);
    const { keyId } = loadPublicKey(publicKey.export({ format: 'jwk' }));
    expect(header).toEqual({ alg: 'ES256', typ: 'client-authentication+jwt', kid: keyId });
    expect(claimsOf(text)).toEqual({
      ...{ iss: 'rs', sub: 'rs', aud: 'https://vault', iat: NOW, exp: NOW + 60, jti: '1' },
    });
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
    expect(verify('sha256', signingInput, key, signature)).toBe(true);
  });

  it('is made again ten seconds before its end, or if the clock went back', () => {
    const { time, make } = maker();
    const at = (ms: number) => {
      time.ms = NOW * 1000 + ms;
      return claimsOf(make())['jti'];
    };
    expect([at(0), at(49_999), at(50_000), at(50_001), at(49_999), at(49_999)]).toEqual([
      '1',
      '1',
      '2',
      '2',
      '3',
      '3',
    ]);
  });

  test.each([
    ['a public key', { ...jwk, d: undefined }],
    ['another type', { ...jwk, kty: 'OKP' }],
    ['another curve', { ...jwk, crv: 'P-384' }],
    ['no coordinate', { ...jwk, x: undefined }],
    ['no coordinate', { ...jwk, y: undefined }],
    ['no object', []],
  ])('needs a private key, not %s', (_what, bad) => {
    expect(() => loadPrivateKey(JSON.stringify(bad))).toThrow();
  });

  it('reads the key file strictly', () => {
    const twice = JSON.stringify(jwk).replace('{', '{"kty":"EC",');
    expect(() => loadPrivateKey(twice)).toThrow(expect.objectContaining({ layer: 'rs' }));
  });
});

describe('a service', () => {
  const pair = keyPair();
  const other = keyPair();
  const okp = keyPair('EdDSA');
  const clients = [
    { clientId: 'bridge', key: loadPublicKey(pair.jwk), roles: ['execute'] },
    { clientId: 'odd', key: loadPublicKey(okp.jwk), roles: ['execute'] },
  ];
  const time = { ms: NOW * 1000 };
  const auth = new ClientAuthentication(clients, RESOURCE, () => time.ms);
  let ids = 0;
  const made = (changes: object = {}, header: object = {}, key = pair) =>
    jws(
      key,
      { alg: 'ES256', typ: 'client-authentication+jwt', kid: key.keyId, ...header },
      {
        iss: 'bridge',
        sub: 'bridge',
        aud: RESOURCE,
        iat: NOW,
        exp: NOW + 60,
        jti: `j${++ids}`,
        ...changes,
      },
    );
  const codeOf = (header: string | undefined, role = 'execute') =>
    auth.authenticate(header, role).then(
      ({ clientId }) => clientId,
      (error: unknown) => `${String(Object(error).layer)}: ${String(Object(error).code)}`,
    );
  const verdict = (token: string) => codeOf(`Bearer ${token}`);
  const NO = 'rs: Unauthenticated';

  it('is known by its assertion in one header', async () => {
    const token = made();
    expect(await codeOf(`Bearer ${token}`)).toBe('bridge');
    expect(await codeOf(`bearer ${token}`)).toBe('bridge');
    for (const header of [
      undefined,
      '',
      token,
      `x Bearer ${token}`,
      `Bearer ${token} x`,
      `Basic ${token}`,
    ])
      expect([header, await codeOf(header)]).toEqual([header, NO]);
    expect(await codeOf(`Bearer ${token}`, 'admin')).toBe('rs: Forbidden');
  });

  test.each<[string, object, object?]>([
    ['another typ', {}, { typ: 'JWT' }],
    ['another alg', {}, { alg: 'EdDSA' }],
    ['another subject', { sub: 'odd' }],
    ['an unknown client', { iss: 'x', sub: 'x' }],
    ['another audience', { aud: 'https://other' }],
    ['an audience in a list', { aud: [RESOURCE] }],
    ['an empty jti', { jti: '' }],
    ['a long jti', { jti: 'j'.repeat(129) }],
    ['no jti', { jti: undefined }],
    ['a claim beside', { more: 1 }],
    ['a fraction', { iat: NOW - 0.5 }],
    ['a second too long', { iat: NOW, exp: NOW + 61 }],
    ['from the future', { iat: NOW + 6, exp: NOW + 60 }],
    ['over', { iat: NOW - 65, exp: NOW - 5 }],
  ])('is not known with %s', async (_what, claims, header = {}) => {
    expect(await verdict(made(claims, header))).toBe(NO);
  });

  it('allows for clocks five seconds apart', async () => {
    expect(await verdict(made({ iat: NOW + 5, exp: NOW + 65 }))).toBe('bridge');
    expect(await verdict(made({ iat: NOW - 64, exp: NOW - 4 }))).toBe('bridge');
    expect(await verdict(made({ jti: 'j'.repeat(128) }))).toBe('bridge');
  });

  it('signs with its own key, which is for ES256', async () => {
    expect(await verdict(made({}, { kid: pair.keyId }, other))).toBe(NO);
    const odd = { iss: 'odd', sub: 'odd' };
    expect(await verdict(made(odd, {}, okp))).toBe(NO);
    expect(await verdict(made(odd, { alg: 'EdDSA' }, okp))).toBe(NO);
  });

  it('is forgotten when its assertion is over', async () => {
    const token = made();
    expect(await verdict(token)).toBe('bridge');
    time.ms = (NOW + 65) * 1000;
    expect(await verdict(token)).toBe(NO);
    time.ms = NOW * 1000;
  });
});

describe('config.json', () => {
  const f = new Fixture();
  afterAll(() => rmSync(f.dir, { recursive: true }));
  const config = () => ({ ...f.config(), jwks_uri: 'http://127.0.0.1:8422/.well-known/jwks.json' });
  const parse = (changes: object = {}) => rsConfig.safeParse({ ...config(), ...changes });
  const key = keyPair();
  const client = { client_id: 'a', public_jwk: key.jwk, roles: ['execute'] };
  const enrolment = {
    approvers: { trust_on_enrolment: true, directory_url: 'http://127.0.0.1:8422' },
    client: { client_id: 'rs', private_jwk_file: 'rs.jwk' },
  };

  it('is taken as it is written', () => {
    const { data } = parse({ clients: [client] });
    expect(data).toMatchObject({
      ...{ resource: RESOURCE, rar_types: ['consent_bridge_action'], enrolment: undefined },
      clients: [{ clientId: 'a', key: { keyId: key.keyId }, roles: ['execute'] }],
    });
    expect(data?.commands.get('delete_task')).toEqual({ scopes: ['tasks.write'], mode: 'gated' });
    expect(data?.policy.commands).toEqual(new Map());
    expect(parse(enrolment).data?.enrolment).toEqual({
      ...{ directoryUrl: 'http://127.0.0.1:8422', clientId: 'rs', privateJwkFile: 'rs.jwk' },
    });
  });

  it('takes lists of any length, but for none, and any port', () => {
    const two = {
      ...{ credential_algs: ['ES256', 'EdDSA'], rar_types: ['a', 'b'], clients: [client, client] },
      webauthn: { rp_id: 'localhost', origins: ['http://localhost:1', 'http://localhost:2'] },
    };
    expect(parse(two).success).toBe(true);
    for (const list of ['credential_algs', 'rar_types', 'clients'])
      expect([list, parse({ [list]: [] }).success]).toEqual([list, false]);
    expect(parse({ webauthn: { rp_id: 'localhost', origins: [] } }).success).toBe(false);
    const port = (n: number) => parse({ listen: { host: '127.0.0.1', port: n } }).success;
    expect([0, 8423, 65_535, -1, 65_536, 0.5].map(port)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test.each<[string, object]>([
    ['an unknown member', { more: 1 }],
    ['no host', { listen: { host: '', port: 0 } }],
    ['another algorithm', { credential_algs: ['HS256'] }],
    ['an origin with a path', { webauthn: { rp_id: 'localhost', origins: ['http://localhost/'] } }],
    [
      'an origin of another protocol',
      { webauthn: { rp_id: 'localhost', origins: ['ftp://localhost'] } },
    ],
    ['an issuer that is no address', { issuer: 'vault' }],
    ['an address of another protocol', { jwks_uri: 'xhttp://a' }],
    ['an address of another protocol', { jwks_uri: 'httpsx://a' }],
    ['a role nobody has', { clients: [{ ...client, roles: ['admin'] }] }],
    ['a private key', { clients: [{ ...client, public_jwk: { ...key.jwk, d: 'AA' } }] }],
    ['an unknown mode', { commands: { a: { scopes: [], mode: 'free' } } }],
    ['a rule without scopes', { commands: { a: { mode: 'open' } } }],
    ['an empty name', { commands: { '': { scopes: [], mode: 'open' } } }],
    ['a long name', { rar_types: ['a'.repeat(257)] }],
    ['trust without a client', { ...enrolment, client: undefined }],
    ['trust without a directory', { ...enrolment, approvers: { trust_on_enrolment: true } }],
    [
      'a directory with a path',
      { ...enrolment, approvers: { trust_on_enrolment: true, directory_url: 'http://a/b' } },
    ],
    ['a client without a key file', { ...enrolment, client: { client_id: 'rs' } }],
  ])('is refused with %s', (_what, changes) => {
    expect(parse(changes).success).toBe(false);
  });

  it('names what trust at enrolment needs', () => {
    const { error } = parse({ ...enrolment, client: undefined });
    expect(error?.issues[0]).toMatchObject({
      code: 'custom',
      path: ['approvers', 'trust_on_enrolment'],
    });
  });

  it('has three modes, and what it does not name is gated', () => {
    const rules = Object.fromEntries(
      ['open', 'gated', 'denied'].map((mode) => [mode, { scopes: [], mode }]),
    );
    const { data } = parse({ commands: rules });
    const modes = ['open', 'gated', 'denied', 'other'].map((name) => ruleOf(name, data!.commands));
    expect(modes).toEqual([...Object.values(rules), { scopes: [], mode: 'gated' }]);
  });

  it('has the example tasks unless there are upstreams, or it says so', () => {
    expect(parse().data?.exampleTasks).toBe(true);
    expect(parse({ example_tasks: false }).data?.exampleTasks).toBe(false);
    const upstreams = { fs: { command: 'node' } };
    expect(parse({ upstreams }).data?.exampleTasks).toBe(false);
    expect(parse({ upstreams, example_tasks: true }).data?.exampleTasks).toBe(true);
  });

  it('is read from the data directory, strictly', () => {
    const read = (text: string) => {
      writeFileSync(join(dir, 'config.json'), text, { mode: 0o600 });
      return () => readConfig(dir);
    };
    const text = JSON.stringify(config());
    expect(read(text)().resource).toBe(RESOURCE);
    expect(read(text.replace('{', '{"issuer":1,'))).toThrow(/config\.json.*issuer/);
    expect(read(JSON.stringify({ ...config(), rar_types: [7] }))).toThrow(
      /config\.json: rar_types\.0: /,
    );
    expect(read(JSON.stringify([]))).toThrow(/config\.json: : /);
    expect(() => readConfig(join(dir, 'none'))).toThrow(/config\.json.*ENOENT/);
  });

  it('is told where others may read it', () => {
    writeFileSync(join(dir, 'config.json'), '{}');
    const told = (folder: number, file: number) => {
      chmodSync(join(dir, 'config.json'), file);
      chmodSync(dir, folder);
      return readableByOthers(dir);
    };
    expect(told(0o700, 0o600)).toEqual([]);
    expect(told(0o700, 0o604)).toEqual([join(dir, 'config.json')]);
    expect(told(0o710, 0o640)).toEqual([dir, join(dir, 'config.json')]);
  });
});

describe('the task tracker', () => {
  const time = { ms: NOW * 1000 + 999 };
  const store = new TaskStore(join(dir, 'tasks.db'), () => time.ms);
  afterAll(() => store.close());
  const run = (command: string, args: object) => runTask(store, command, args as never);

  it('does what its tools say', () => {
    const made = { id: 't-1', title: 'one', done: false, created_at: NOW, updated_at: NOW };
    expect(run('create_task', { title: 'one' })).toEqual({
      status: 'success',
      result: { task: made },
    });
    const two = { ...made, id: 't-2', title: 'two', notes: 'n' };
    expect(run('create_task', { title: 'two', notes: 'n' })).toEqual({
      ...{ status: 'success', result: { task: two } },
    });
    expect(run('get_task', { task_id: 't-2' })).toEqual({
      status: 'success',
      result: { task: two },
    });
    time.ms += 1000;
    const changed = { ...made, done: true, updated_at: NOW + 1 };
    expect(run('update_task', { task_id: 't-1', done: true })).toEqual({
      ...{ status: 'success', result: { task: changed } },
    });
    const renamed = { ...two, title: 'zwei', notes: 'm', updated_at: NOW + 1 };
    expect(run('update_task', { task_id: 't-2', title: 'zwei', notes: 'm' })).toEqual({
      ...{ status: 'success', result: { task: renamed } },
    });
    const listed = { ...made, id: 't-2', title: 'zwei', updated_at: NOW + 1 };
    const list = (args: object) => run('list_tasks', args);
    const tasks = (...found: object[]) => ({ status: 'success', result: { tasks: found } });
    expect(list({})).toEqual(tasks(changed, listed));
    expect(list({ done: true })).toEqual(tasks(changed));
    expect(list({ done: false })).toEqual(tasks(listed));
    expect(
      Object.keys((list({}) as unknown as { result: { tasks: object[] } }).result.tasks[1]!),
    ).not.toContain('notes');
    expect(run('update_task', { task_id: 't-1', done: false })).toMatchObject({
      ...{ status: 'success', result: { task: { done: false } } },
    });
    expect(run('delete_task', { task_id: 't-1' })).toEqual({
      status: 'success',
      result: { deleted: 't-1' },
    });
    for (const command of ['get_task', 'update_task', 'delete_task'])
      expect(run(command, { task_id: 't-1' })).toMatchObject({
        ...{ status: 'failure', error: { code: 'NoSuchTask' } },
      });
    expect(store.count()).toBe(1);
  });

  test.each([
    't-02',
    'T-2',
    't-2 ',
    ' t-2',
    't-0',
    't-2x',
    'xt-2',
    '2',
    't-',
    `t-2${'0'.repeat(15)}`,
  ])('%j is no task', (id) => {
    expect(store.get(id)).toBeUndefined();
    expect(store.update(id, { title: 'x' })).toBeUndefined();
    expect(store.delete(id)).toBe(false);
  });

  test.each<[string, object, string]>([
    ['list_tasks', { done: 'yes' }, 'args.done'],
    ['list_tasks', { more: 1 }, 'args.more'],
    ['get_task', {}, 'args.task_id'],
    ['get_task', { task_id: '' }, 'args.task_id'],
    ['get_task', { task_id: 'a'.repeat(257) }, 'args.task_id'],
    ['create_task', {}, 'args.title'],
    ['create_task', { title: '' }, 'args.title'],
    ['create_task', { title: 'a'.repeat(201) }, 'args.title'],
    ['create_task', { title: 'a', notes: 'a'.repeat(60_001) }, 'args.notes'],
    ['update_task', { title: 'a' }, 'args.task_id'],
    ['update_task', { task_id: 't-2', more: 1 }, 'args.more'],
    ['delete_task', { task_id: 't-2', more: 1 }, 'args.more'],
  ])('%s does not take %j', (command, args, path) => {
    expect(() => run(command, args)).toThrow(
      expect.objectContaining({ code: 'MalformedRequest', layer: 'rs', path }),
    );
  });

  it('takes texts as long as they may be', () => {
    expect(run('create_task', { title: 'a'.repeat(200), notes: 'b'.repeat(60_000) }).status).toBe(
      'success',
    );
    expect(run('get_task', { task_id: 'a'.repeat(256) }).status).toBe('failure');
  });

  it('knows no other tool', () => {
    for (const name of ['nope', 'constructor', '__proto__'])
      expect(() => run(name, {})).toThrow(
        expect.objectContaining({ code: 'UnknownTool', layer: 'rs' }),
      );
  });

  it('defines its tools as MCP does', () => {
    const hints = taskDefinitions.map(({ name, annotations }) => [name, annotations]);
    const reads = { readOnlyHint: true, openWorldHint: false, idempotentHint: true };
    const writes = { readOnlyHint: false, openWorldHint: false };
    expect(Object.fromEntries(hints)).toEqual({
      list_tasks: reads,
      get_task: reads,
      create_task: { ...writes, destructiveHint: false, idempotentHint: false },
      update_task: { ...writes, destructiveHint: true, idempotentHint: true },
      delete_task: { ...writes, destructiveHint: true, idempotentHint: true },
    });
    const task = {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'title', 'done', 'created_at', 'updated_at'],
    };
    const outputs = Object.fromEntries(
      taskDefinitions.map(({ name, output_schema }) => [name, output_schema?.['properties']]),
    );
    expect(outputs).toMatchObject({
      list_tasks: { tasks: { type: 'array', items: task } },
      ...{ get_task: { task }, create_task: { task }, update_task: { task } },
      delete_task: { deleted: { type: 'string' } },
    });
  });
});

it('the public half of a key is all that leaves it', () => {
  const pair = keyPair();
  expect(createPublicKey(pair.privateKey).export({ format: 'jwk' })).toEqual(
    loadPublicKey(pair.jwk).jwk,
  );
});
