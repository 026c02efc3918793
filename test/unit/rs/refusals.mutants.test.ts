import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fixture } from './fixture.js';
import { keyPair, signRaw } from './keys.js';

const f = new Fixture();
const RULES = {
  get_task: { scopes: ['tasks.read'], mode: 'denied' },
  list_tasks: { scopes: ['tasks.read'], mode: 'open' },
  delete_task: { scopes: ['tasks.write'], mode: 'gated' },
  update_task: { scopes: ['tasks.write'], mode: 'gated' },
};
beforeAll(() => f.start({ commands: RULES }));
afterAll(() => f.close());
beforeEach(() => {
  f.nowMs += 60_000;
});

type Call = ReturnType<Fixture['request']>;
const claimed = (claims: () => object) => (): Call => f.request({ claims: claims() });
const seconds = () => Math.floor(f.nowMs / 1000);
const detail = (changes: object = {}) => ({
  ...{ type: 'consent_bridge_action', command: 'delete_task', args: { task_id: 't-1' } },
  ...changes,
});
const withCredential = (make: (claims: object) => string) => (): Call => {
  const payload = f.payload();
  return f.request({ payload, body: { credential: make(f.claims(payload)) } });
};

/** What is wrong, the call, and what every answer must say: the code, that it was this server, and where. */
const refused: [string, () => object, object][] = [
  ['no such command', () => ({ ...f.request(), command: 'nope' }), { code: 'UnknownTool' }],
  [
    'a denied command',
    () => f.request({ payload: f.payload({ cmd: 'get_task' }) }),
    { code: 'ToolDenied' },
  ],
  [
    'no scope',
    () => f.request({ body: { caller: f.caller({ scopes: [] }) } }),
    { code: 'Unauthorized' },
  ],
  [
    'no credential',
    () => f.request({ body: { credential: undefined } }),
    { code: 'ApprovalRequired' },
  ],
  [
    'no signed payload',
    () => f.request({ body: { signed: undefined } }),
    { code: 'ApprovalRequired' },
  ],
  ['no JWS', withCredential(() => 'x'), { code: 'MalformedCredential' }],
  [
    'another typ',
    withCredential((c) => f.vault.mint(c, { typ: 'JWT' })),
    { code: 'MalformedCredential' },
  ],
  [
    'another alg',
    withCredential((c) => f.vault.mint(c, { alg: 'RS256' })),
    { code: 'MalformedCredential' },
  ],
  [
    'the alg of another key',
    withCredential((c) => f.vault.mint(c, { alg: 'EdDSA' })),
    { code: 'MalformedCredential' },
  ],
  [
    'an unknown kid',
    withCredential((c) => f.vault.mint(c, { kid: 'other' })),
    { code: 'UnknownIssuer' },
  ],
  [
    'another key',
    withCredential((c) => f.vault.mint(c, { kid: f.vault.key.keyId }, keyPair())),
    { code: 'UnknownIssuer' },
  ],
  ['a claim of another type', claimed(() => ({ sub: 7 })), { code: 'MalformedCredential' }],
  ['another issuer', claimed(() => ({ iss: 'https://other' })), { code: 'UnknownIssuer' }],
  ['another audience', claimed(() => ({ aud: 'https://other' })), { code: 'WrongAudience' }],
  ['iat after exp', claimed(() => ({ iat: f.exp + 1 })), { code: 'MalformedCredential' }],
  ['iat in the future', claimed(() => ({ iat: seconds() + 31 })), { code: 'MalformedCredential' }],
  ['nbf in the future', claimed(() => ({ nbf: seconds() + 31 })), { code: 'MalformedCredential' }],
  ['nbf that is no number', claimed(() => ({ nbf: '0' })), { code: 'MalformedCredential' }],
  ['past its end', claimed(() => ({ iat: 1, exp: seconds() - 30 })), { code: 'CredentialExpired' }],
  ['another client', claimed(() => ({ client_id: 'other' })), { code: 'WrongClient' }],
  ['no detail', claimed(() => ({ authorization_details: [] })), { code: 'MalformedCredential' }],
  [
    'two details',
    claimed(() => ({ authorization_details: [detail(), detail()] })),
    { code: 'MalformedCredential' },
  ],
  [
    'another type',
    claimed(() => ({ authorization_details: [detail({ type: 'other' })] })),
    { code: 'MalformedCredential' },
  ],
  [
    'another command',
    claimed(() => ({ authorization_details: [detail({ command: 'update_task' })] })),
    { code: 'CredentialDrift', path: 'command' },
  ],
  [
    'other arguments',
    claimed(() => ({ authorization_details: [detail({ args: { task_id: 't-2' } })] })),
    { code: 'CredentialDrift', path: 'args' },
  ],
  [
    'another digest',
    claimed(() => ({ consent: { hash: 'A'.repeat(43), form: 2, nonce: 'n' } })),
    { code: 'SignatureMismatch' },
  ],
  [
    'a stranger’s key',
    () => {
      const payload = f.payload();
      return f.request({ payload, signed: signRaw(keyPair(), payload) });
    },
    { code: 'UnknownApprover' },
  ],
  [
    'a signature over something else',
    () => f.request({ signed: { ...signRaw(f.alice, f.payload()), payload: f.payload() } }),
    { code: 'SignatureMismatch' },
  ],
  [
    'an approver who may not',
    () => f.request({ body: { caller: f.caller({ subject: 'bob' }) } }),
    { code: 'PolicyDenied' },
  ],
  [
    'an argument of another type',
    () =>
      f.request({ payload: f.payload({ cmd: 'update_task', args: { task_id: 't-9', done: 1 } }) }),
    { code: 'MalformedRequest', path: 'args.done' },
  ],
  [
    'an unknown member',
    () => ({ ...f.request(), more: 1 }),
    { code: 'MalformedRequest', path: 'more' },
  ],
  [
    'a nested member of another type',
    () => ({ ...f.request(), caller: f.caller({ scopes: ['a', 7] }) }),
    { code: 'MalformedRequest', path: 'caller.scopes[1]' },
  ],
];

describe('a refused call is told what was wrong, and that this server refused', () => {
  it.each(refused)('%s', async (_what, make, expected) => {
    const { body } = await f.execute(make());
    expect(body).toMatchObject({ ...expected, layer: 'rs' });
  });

  it('a credential or signature that was used', async () => {
    const first = f.request();
    expect(await f.verdict(first)).toBe('success');
    expect((await f.execute(first)).body).toMatchObject({ code: 'CredentialReplay', layer: 'rs' });
    const again = f.request({ payload: f.payload(first.signed.payload) });
    expect((await f.execute(again)).body).toMatchObject({ code: 'SignatureReplay', layer: 'rs' });
  });
});

describe('what is no call', () => {
  it.each([
    ['no such place', 'GET', '/nope', undefined, {}, 404, { code: 'NotFound' }],
    [
      'a path that cannot be read',
      'GET',
      '/v1/executions/%zz',
      undefined,
      {},
      404,
      { code: 'NotFound' },
    ],
    [
      'a long id',
      'GET',
      `/v1/executions/${'a'.repeat(257)}`,
      undefined,
      {},
      404,
      { code: 'NotFound' },
    ],
    [
      'no such execution',
      'GET',
      `/v1/executions/${'a'.repeat(256)}`,
      undefined,
      {},
      404,
      { code: 'NotFound' },
    ],
    ['no JSON', 'POST', '/v1/execute', '{', {}, 400, { code: 'MalformedJson' }],
    [
      'another kind of body',
      'POST',
      '/v1/execute',
      'a=1',
      { 'content-type': 'application/x-www-form-urlencoded' },
      400,
      { code: 'MalformedRequest' },
    ],
    [
      'text',
      'POST',
      '/v1/execute',
      '{}',
      { 'content-type': 'text/plain' },
      400,
      { code: 'MalformedRequest' },
    ],
    ['too much', 'POST', '/v1/execute', ' '.repeat(262_145), {}, 413, { code: 'PayloadTooLarge' }],
    [
      'all that may be',
      'POST',
      '/v1/execute',
      ' '.repeat(262_144),
      {},
      400,
      { code: 'MalformedJson', path: '' },
    ],
    [
      'nobody',
      'GET',
      '/v1/surface',
      undefined,
      { authorization: '' },
      401,
      { code: 'Unauthenticated' },
    ],
    [
      'another scheme',
      'GET',
      '/v1/surface',
      undefined,
      { authorization: 'Basic a.b.c' },
      401,
      { code: 'Unauthenticated' },
    ],
  ])('%s', async (_what, method, path, body, headers, status, expected) => {
    const answer = await f.http(method, path, body, headers);
    expect(answer).toMatchObject({ status, body: { ...expected, status, layer: 'rs' } });
  });

  it('a client without the role', async () => {
    const watcher = f.serviceAssertion({ iss: 'watcher', sub: 'watcher' }, {}, f.alice);
    const { body } = await f.http('GET', '/v1/surface', undefined, {
      authorization: `Bearer ${watcher}`,
    });
    expect(body).toMatchObject({ code: 'Forbidden', layer: 'rs' });
  });

  it('bytes that are not UTF-8, or begin with a mark', async () => {
    for (const bytes of [Buffer.from([0x22, 0xff, 0x22]), Buffer.from('\ufeff{}')]) {
      const response = await fetch(`${f.url}/v1/execute`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${f.serviceAssertion()}`,
          'content-type': 'application/json',
        },
        body: bytes,
      });
      expect(await response.json()).toMatchObject({ code: 'MalformedJson', layer: 'rs', path: '' });
    }
  });
});

describe('the answers themselves', () => {
  it('are problem documents, and say how to authenticate', async () => {
    const stranger = await fetch(`${f.url}/v1/surface`);
    expect(stranger.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
    expect(stranger.headers.get('www-authenticate')).toBe('Bearer');
    const { headers } = await fetch(`${f.url}/nope`);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
    expect(headers.get('www-authenticate')).toBeNull();
  });

  it('anyone may ask whether it lives', async () => {
    const response = await fetch(`${f.url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });
});
