import { createHash, randomBytes, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, it, test } from 'vitest';
import { loadConfig } from '../../../vault/config.js';
import { recordingRefusals } from '../../../vault/http/recorded.js';
import { InProcessVault } from '../../../vault/in-process.js';
import { memoryDirectory } from '../../../vault/memory-directory.js';
import { addKey } from '../../../vault/operator/add-key.js';
import { invite } from '../../../vault/operator/invite.js';
import { listKeys } from '../../../vault/operator/list-keys.js';
import { revokeKeys } from '../../../vault/operator/revoke-key.js';
import { createSoftwareAuthenticator } from '../../support/software-authenticator.js';
import { expectRefusal } from './support/refusals.js';
import { form2, NOW, rawSigner, RESOURCE, signWithPasskey } from './support/signers.js';
import {
  assertion,
  clientKeys,
  configFile,
  dataDirectory,
  ISSUER,
  listen,
  openTestVault,
  ORIGIN,
  tokenForm,
} from './support/test-vault.js';

const ALICE = 'alice@example.com';

async function served(changes = {}) {
  const vault = openTestVault(dataDirectory(changes));
  return { vault, http: await listen(vault) };
}

describe('config.json', () => {
  const { webauthn, clients } = configFile();
  const [bridge, page] = clients;
  const load = (changes: object) => loadConfig(dataDirectory({ ...changes }));

  it('takes lists of any length, but for none', () => {
    const roles = ['mint', 'ceremony', 'directory'];
    const config = load({
      audiences: [RESOURCE, 'https://other'],
      rar_types: ['one', 'two'],
      clients: [{ ...bridge, roles }, page],
      webauthn: { ...webauthn, origins: [ORIGIN, 'http://localhost:1'] },
    });
    expect(config.clients.map((client) => client.roles)).toEqual([roles, ['ceremony']]);
    expect(config.clients.map((client) => client.agents)).toEqual([['agent-1'], []]);
    for (const none of [
      { audiences: [] },
      { rar_types: [] },
      { clients: [{ ...bridge, roles: [] }] },
    ])
      expect(() => load(none)).toThrow();
    expect(() => load({ webauthn: { ...webauthn, origins: [] } })).toThrow();
  });

  it('takes any port', () => {
    const port = (n: number) => load({ listen: { host: '127.0.0.1', port: n } }).listen.port;
    expect([0, 8422, 65_535].map(port)).toEqual([0, 8422, 65_535]);
    for (const n of [-1, 65_536, 0.5]) expect(() => port(n)).toThrow(/: listen\.port /);
  });

  it('wants every origin to be the relying party’s', () => {
    const origins = [ORIGIN, 'https://evil.example'];
    expect(() => load({ webauthn: { ...webauthn, origins } })).toThrow(/: webauthn\.origins /);
  });

  it('wants P-256 keys of clients', () => {
    const public_jwk = rawSigner('eddsa').publicJwk;
    expect(() => load({ clients: [{ ...bridge, public_jwk }] })).toThrow(
      /: clients\[0\]\.public_jwk /,
    );
  });

  test.each([
    ['a', true],
    ['a*', true],
    ['delete_task', true],
    ['delete_*', true],
    ['*', true],
    ['', false],
    ['**', false],
    ['*a', false],
    ['a*b', false],
    ['a*b*', false],
    ['a**', false],
  ])('a rule for %j: %s', (name, taken) => {
    const policy = { default: [], commands: { [name]: [] } };
    if (taken) expect(Object.keys(load({ policy }).policy.commands)).toEqual([name]);
    else expect(() => load({ policy })).toThrow(/: policy\.commands/);
  });

  it('that cannot be read says why', () => {
    const directory = dataDirectory();
    const causeOf = () => {
      try {
        return loadConfig(directory);
      } catch (error) {
        return Object(error).cause as unknown;
      }
    };
    writeFileSync(join(directory, 'config.json'), '{');
    expect(causeOf()).toMatchObject({ code: 'MalformedJson', layer: 'vault' });
  });
});

describe('a client', () => {
  it('sends an assertion of 4096 characters at most', async () => {
    const { vault } = await served();
    // Base64url has no text of 4n+1 characters: the key id, which says nothing here, makes up for it.
    const ofLength = (n: number): string => {
      for (const kid of ['k', 'kk', 'kkk', 'kkkk'])
        for (let size = 2700; size < 2900; size += 1) {
          const made = assertion('bridge', { pad: 'x'.repeat(size) }, { kid });
          if (made.length === n) return made;
        }
      throw new Error(`no assertion of ${n} characters`);
    };
    const [longest, longer] = [ofLength(4096), ofLength(4097)];
    expect((await vault.service.clients.authenticate(longest)).clientId).toBe('bridge');
    await expectRefusal(() => vault.service.clients.authenticate(longer), 'Unauthenticated');
  });

  it('authenticates with nothing before or behind the scheme', async () => {
    const { http } = await served();
    const url = `${http.url}/v1/approvers/${ALICE}/keys`;
    const status = async (authorization: string) =>
      (await fetch(url, { headers: { authorization } })).status;
    const token = assertion('rs');
    const wrong = [`x Bearer ${token}`, `Bearer ${token} x`, `Bearer  ${token}`, token, 'Bearer'];
    expect(await status(`bearer ${token}`)).toBe(200);
    for (const header of wrong) expect([header, await status(header)]).toEqual([header, 401]);
  });

  it('for which every agent is listed may mint for any', async () => {
    const [bridge, ...others] = configFile().clients;
    const { vault, http } = await served({ clients: [{ ...bridge, agents: ['*'] }, ...others] });
    const alice = await vault.enrolRaw();
    const { status } = await http.token(tokenForm(alice.sign(form2({ client_id: 'any' }))));
    expect(status).toBe(200);
  });
});

describe('the token endpoint', () => {
  it('takes a mint id of 22 to 64 characters', async () => {
    const { vault, http } = await served();
    const alice = await vault.enrolRaw();
    const mint = async (mint_id: string) => {
      const { body } = await http.token(tokenForm(alice.sign(form2()), { mint_id }));
      return body.code === undefined ? 'minted' : `${body.code} ${String(body.path)}`;
    };
    for (const good of ['a'.repeat(22), 'Z_-9'.repeat(16)]) expect(await mint(good)).toBe('minted');
    const bad = ['a'.repeat(21), 'a'.repeat(65), `.${'a'.repeat(22)}`, `${'a'.repeat(22)}.`, ''];
    for (const id of bad) expect(await mint(id)).toBe('MalformedRequest mint_id');
  });

  it('takes one detail, and text in UTF-8', async () => {
    const { vault, http } = await served();
    const alice = await vault.enrolRaw();
    const form = tokenForm(alice.sign(form2()), { authorization_details: '[]' });
    expect((await http.token(form)).body).toMatchObject({
      code: 'PayloadDriftAtMint',
      path: 'authorization_details',
    });
    const response = await fetch(`${http.url}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new Uint8Array([0x61, 0x3d, 0xff]),
    });
    expect(await response.json()).toMatchObject({ code: 'MalformedRequest', layer: 'vault' });
  });
});

describe('answers', () => {
  it('are not kept by anyone, but for what is public', async () => {
    const { vault, http } = await served();
    const alice = await vault.enrolRaw();
    const { invite: secret } = await invite(vault.operator, ALICE, 900);
    const examined = await http.post(
      '/v1/signatures/examine',
      { signed: alice.sign(form2()) },
      'consent-ui',
    );
    const answers = [
      examined,
      await http.post('/v1/enrolments/options', { invite: secret }, 'consent-ui'),
      await http.get(`/v1/approvers/${ALICE}/keys`, 'rs'),
      await http.get('/nope'),
    ];
    expect(answers.map(({ cacheControl }) => cacheControl)).toEqual(Array(4).fill('no-store'));
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/jwks.json'])
      expect((await http.get(path)).cacheControl).toBe('max-age=60');
    const { body } = await http.get('/.well-known/jwks.json');
    expect(body.keys).toMatchObject([{ use: 'sig', alg: 'ES256' }]);
  });

  it('to what is no JSON come from the vault', async () => {
    const { http } = await served();
    const { body } = await http.post('/v1/sign-in/options', '{', 'consent-ui');
    expect(body).toMatchObject({ code: 'MalformedJson', layer: 'vault' });
  });

  it('about an approver with a long name', async () => {
    const { vault, http } = await served();
    const name = `${'a'.repeat(244)}@example.com`;
    await vault.enrolRaw('eddsa', name);
    const { body } = await http.get(`/v1/approvers/${name}/keys`, 'rs');
    expect(body.keys).toHaveLength(1);
    expect(Object.keys(body.keys[0]!).sort()).toEqual(
      ['approver_id', 'created_at', 'key_id', 'label', 'public_jwk', 'scheme'].sort(),
    );
  });
});

describe('the record', () => {
  const last = (vault: { entries: () => readonly object[] }) => vault.entries().at(-1);

  it('says of a refusal who asked for what', async () => {
    const { vault, http } = await served();
    const refused = async (event: string, path: string, body: object = {}) => {
      await http.post(path, body, 'bridge');
      expect(last(vault)).toMatchObject({ event, code: 'Forbidden', presented_by: 'bridge' });
    };
    await refused('enrolment.refused', '/v1/enrolments/options');
    await refused('enrolment.refused', '/v1/enrolments/finish');
    await refused('sign-in.refused', '/v1/sign-in/options');
    await refused('sign-in.refused', '/v1/sign-in/finish');
    await refused('sign-in.refused', '/v1/sign-in/key');
    await refused('examine.refused', '/v1/signatures/examine');
    await http.get(`/v1/approvers/${ALICE}/keys`, 'bridge');
    expect(last(vault)).toMatchObject({
      event: 'directory.refused',
      code: 'Forbidden',
      presented_by: 'bridge',
    });
  });

  it('says whose signature was refused', async () => {
    const { vault, http } = await served();
    const signed = rawSigner('eddsa').sign(form2({ nonce: 'n' }));
    await http.post('/v1/signatures/examine', { signed }, 'consent-ui');
    expect(last(vault)).toMatchObject({
      event: 'examine.refused',
      code: 'UnknownApprover',
      presented_by: 'consent-ui',
      approver_id: ALICE,
      consent_id: 'n',
    });
  });

  it('holds no error that is nobody’s refusal', async () => {
    const { vault } = await served();
    const before = vault.events();
    const broken = recordingRefusals(vault.store, 'mint.refused', {}, () => {
      throw new Error('disk');
    });
    await broken.catch(() => undefined);
    expect(vault.events()).toEqual(before);
  });

  it('says of each event what it was about', async () => {
    const { vault, http } = await served();
    const made = { approver_id: 'bob@example.com', expires_at: NOW + 900 };
    expect(await invite(vault.operator, 'bob@example.com', 900)).toMatchObject(made);
    expect(last(vault)).toMatchObject({ event: 'invite.created', ...made });

    const alice = await vault.enrolRaw();
    const key = { approver_id: ALICE, key_id: alice.keyId };
    expect(last(vault)).toMatchObject({
      ...{ event: 'approver-key.enrolled', ...key, scheme: 'eddsa', by: 'operator' },
    });

    const examined = alice.sign(form2({ nonce: 'examined' }));
    await http.post('/v1/signatures/examine', { signed: examined }, 'consent-ui');
    expect(last(vault)).toMatchObject({
      ...{
        event: 'signature.examined',
        ...key,
        consent_id: 'examined',
        presented_by: 'consent-ui',
      },
    });

    const request = { mintId: 'a'.repeat(22) };
    const signed = alice.sign(form2({ nonce: 'minted' }));
    const { jti, credential } = await vault.as(request).mint(signed);
    const mint = {
      ...key,
      jti,
      consent_id: 'minted',
      client_id: 'agent-1',
      presented_by: 'bridge',
    };
    expect(last(vault)).toMatchObject({ event: 'credential.minted', ...mint });
    await vault.as(request).mint(signed);
    expect(last(vault)).toMatchObject({ event: 'credential.repeated', ...mint });
    await vault.as().consume(credential, 'delete_task', { task_id: 't-42' });
    expect(last(vault)).toMatchObject({ event: 'credential.consumed', jti });

    const key_id = vault.store.mintKeys.rotate('ES256', 60);
    const rotated = { event: 'mint-key.rotated', key_id, old_key_published_until: NOW + 60 };
    expect(last(vault)).toMatchObject(rotated);

    await revokeKeys(vault.operator, { keyId: alice.keyId });
    expect(last(vault)).toMatchObject({ event: 'approver-key.revoked', ...key });
    expect(vault.entries().every(({ domain }) => domain === 'vault')).toBe(true);
  });

  it('says who enrolled and signed in, and how', async () => {
    const { vault, http } = await served();
    const passkey = await vault.enrolPasskey();
    const key = { approver_id: ALICE, key_id: passkey.credential().keyId };
    expect(last(vault)).toMatchObject({
      ...{ event: 'approver-key.enrolled', ...key, scheme: 'webauthn', by: 'invite' },
    });
    const { body } = await http.post('/v1/sign-in/options', {}, 'consent-ui');
    const response = passkey.get(body.options);
    await http.post(
      '/v1/sign-in/finish',
      { challenge_id: body.challenge_id, response },
      'consent-ui',
    );
    expect(last(vault)).toMatchObject({ event: 'approver.signed-in', ...key, with: 'passkey' });
  });

  it('is kept for a year', async () => {
    const { vault } = await served();
    await vault.enrolRaw();
    const before = vault.events();
    vault.time.ms += 364 * 86_400_000;
    await vault.store.sweep();
    expect(vault.events()).toEqual(before);
  });
});

describe('an operator', () => {
  it('lists keys of all, or of one, revoked ones too', async () => {
    const { vault } = await served();
    const [alice, bob] = [await vault.enrolRaw('es256'), await vault.enrolRaw('eddsa', 'bob')];
    await revokeKeys(vault.operator, { keyId: bob.keyId });
    const row = { label: 'test key', created_at: NOW, credential_id: null };
    const first = {
      ...row,
      approver_id: ALICE,
      key_id: alice.keyId,
      scheme: 'es256',
      revoked_at: null,
    };
    const second = {
      ...row,
      approver_id: 'bob',
      key_id: bob.keyId,
      scheme: 'eddsa',
      revoked_at: NOW,
    };
    expect(listKeys(vault.operator, undefined)).toEqual([first, second]);
    expect(listKeys(vault.operator, 'bob')).toEqual([second]);
    expect(listKeys(vault.operator, 'nobody')).toEqual([]);
  });

  it('revokes one key, or all of one approver, once', async () => {
    const { vault } = await served();
    const [one, two] = [await vault.enrolRaw(), await vault.enrolRaw()];
    const bob = await vault.enrolRaw('eddsa', 'bob');
    expect(await revokeKeys(vault.operator, { keyId: one.keyId })).toEqual({
      revoked: [one.keyId],
    });
    expect(await revokeKeys(vault.operator, { approverId: ALICE })).toEqual({
      revoked: [two.keyId],
    });
    expect(vault.store.approverKeys.activeOf('bob')).toHaveLength(1);
    const events = vault.events();
    await expect(revokeKeys(vault.operator, { approverId: ALICE })).rejects.toThrow();
    await expect(revokeKeys(vault.operator, { keyId: 'none' })).rejects.toThrow();
    expect(vault.events()).toEqual(events);
    expect(await revokeKeys(vault.operator, { approverId: 'bob' })).toEqual({
      revoked: [bob.keyId],
    });
  });

  it('adds no RSA key, and nobody whose name cannot be shown', async () => {
    const { vault } = await served();
    const rsa = createSoftwareAuthenticator({ rpId: 'localhost', origin: ORIGIN, alg: 'RS256' });
    rsa.create({
      rp: { name: 'x' },
      user: { id: 'YQ', name: 'x', displayName: 'x' },
      challenge: 'AAAA',
      pubKeyCredParams: [],
    });
    const { publicJwk } = rsa.credential();
    await expect(addKey(vault.operator, ALICE, publicJwk, 'x')).rejects.toThrow(/jwk/);
    for (const name of ['', 'a'.repeat(257), 'a\u0000', 'a\nb', '\ud800']) {
      await expect(invite(vault.operator, name, 900)).rejects.toThrow();
      await expect(
        addKey(vault.operator, name, rawSigner('eddsa').publicJwk, 'x'),
      ).rejects.toThrow();
    }
    expect(listKeys(vault.operator, undefined)).toEqual([]);
    for (const name of ['a', 'a'.repeat(256), 'alïce']) await invite(vault.operator, name, 900);
  });
});

describe('what the store holds', () => {
  it('nothing of whom it does not know', async () => {
    const { vault } = await served();
    expect(vault.store.userHandles.find('nobody')).toBeUndefined();
    expect(vault.store.approverKeys.counterOf('nobody')).toBe(0);
  });

  it('a raw key without a credential id', async () => {
    const { vault } = await served();
    const { keyId } = await vault.enrolRaw();
    expect(vault.store.approverKeys.find(ALICE, keyId)).not.toHaveProperty('credentialId');
  });

  it('is gone when its time is over', async () => {
    const { vault, http } = await served();
    const alice = await vault.enrolRaw();
    const { credential } = await vault.as().mint(alice.sign(form2()));
    await vault.as().consume(credential, 'delete_task', { task_id: 't-42' });
    await http.post('/v1/sign-in/options', {}, 'consent-ui');
    await invite(vault.operator, ALICE, 300);
    const tables = [
      'used_signature',
      'observed_signature',
      'spent_credential',
      'ceremony',
      'invite',
    ];
    const count = () => {
      const db = new SQLite(join(vault.directory, 'vault.db'), { readonly: true });
      const rows = tables.map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
      db.close();
      return rows;
    };
    await vault.store.sweep();
    expect(count()).toEqual([1, 1, 1, 1, 1]);
    vault.time.ms += 300_000;
    await vault.store.sweep();
    expect(count()).toEqual([1, 1, 1, 0, 0]);
    vault.time.ms += 2 * 3_600_000 + 1000;
    await vault.store.sweep();
    expect(count()).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('ceremonies', () => {
  it('give a browser five minutes', async () => {
    const { vault } = await served();
    const { invite: secret } = await invite(vault.operator, ALICE, 900);
    expect((await vault.service.enrolment.options(secret)).options.timeout).toBe(300_000);
    expect((await vault.service.signIn.options()).options.timeout).toBe(300_000);
  });

  it('enrol no credential but the one the authenticator made', async () => {
    const { vault, http } = await served();
    const { invite: secret } = await invite(vault.operator, ALICE, 900);
    const passkey = createSoftwareAuthenticator({ rpId: 'localhost', origin: ORIGIN });
    // A signature that can be read, and is nobody's.
    const junk = Buffer.from('3006020101020101', 'hex');
    const forged = { fmt: 'packed', statement: { alg: -7, sig: junk } };
    for (const response of [
      (options: Parameters<typeof passkey.create>[0]) =>
        passkey.create(options, { attestation: forged }),
      (options: Parameters<typeof passkey.create>[0]) => ({
        ...passkey.create(options),
        ...{ id: 'AAAA', rawId: 'AAAA' },
      }),
    ]) {
      const { enrolment_id, options } = await vault.service.enrolment.options(secret);
      const body = { enrolment_id, response: response(options), label: 'x' };
      const answer = await http.post('/v1/enrolments/finish', body, 'consent-ui');
      expect(answer.body).toMatchObject({ code: 'CeremonyFailed', layer: 'vault' });
    }
    expect(listKeys(vault.operator, undefined)).toEqual([]);
  });

  it('sign in the owner of the credential only', async () => {
    const { vault, http } = await served();
    const passkey = await vault.enrolPasskey();
    const codeFor = async (userHandle: string | undefined) => {
      const { body } = await http.post('/v1/sign-in/options', {}, 'consent-ui');
      const made = passkey.get(body.options);
      const response = { ...made, response: { ...made.response, userHandle } };
      const finish = { challenge_id: body.challenge_id, response };
      return (await http.post('/v1/sign-in/finish', finish, 'consent-ui')).body.code;
    };
    expect(await codeFor(passkey.credential().userHandle)).toBeUndefined();
    expect(await codeFor('AAAA')).toBe('CeremonyFailed');
    expect(await codeFor(undefined)).toBe('CeremonyFailed');
  });

  it('take client data in UTF-8 only', async () => {
    const { vault } = await served();
    const passkey = await vault.enrolPasskey();
    const payload = form2();
    const signed = signWithPasskey(passkey, payload);
    const { signature } = signed;
    if (signature.scheme !== 'webauthn') throw new Error('a passkey');
    const bent = Buffer.from(signature.client_data_json, 'base64url');
    const extended = Buffer.concat([
      bent.subarray(0, -1),
      Buffer.from(',"x":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    // Signed over these very octets: only that they are no text is wrong with them.
    const data = Buffer.from(signature.authenticator_data, 'base64url');
    const hash = createHash('sha256').update(extended).digest();
    const made = sign('sha256', Buffer.concat([data, hash]), passkey.credential().privateKey);
    const mint = () =>
      vault.as().mint({
        payload,
        signature: {
          ...signature,
          client_data_json: extended.toString('base64url'),
          signature: made.toString('base64url'),
        },
      });
    await expectRefusal(mint, 'SignatureMismatch');
  });
});

it('a passkey signs in as a passkey, not as a terminal’s key', async () => {
  const { vault, http } = await served();
  const passkey = await vault.enrolPasskey({ alg: 'EdDSA' });
  const { privateKey, keyId } = passkey.credential();
  const input = [
    { alg: 'EdDSA', typ: 'approver-authentication+jwt', kid: keyId },
    { sub: ALICE, aud: ORIGIN, iat: NOW, exp: NOW + 60, jti: 'j' },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const made = sign(null, Buffer.from(input), privateKey).toString('base64url');
  const { body } = await http.post(
    '/v1/sign-in/key',
    { assertion: `${input}.${made}`, aud: ORIGIN },
    'consent-ui',
  );
  expect(body).toMatchObject({ code: 'UnknownApprover', layer: 'vault' });
});

it('a terminal’s key is recorded by its scheme, once for each assertion', async () => {
  const { vault, http } = await served();
  const alice = await vault.enrolRaw('es256');
  const token = alice.jwt(
    { typ: 'approver-authentication+jwt' },
    { sub: ALICE, aud: ORIGIN, iat: NOW, exp: NOW + 60, jti: 'j' },
  );
  const signIn = () =>
    http.post('/v1/sign-in/key', { assertion: token, aud: ORIGIN }, 'consent-ui');
  await signIn();
  const entry = {
    event: 'approver.signed-in',
    approver_id: ALICE,
    key_id: alice.keyId,
    with: 'es256',
  };
  expect(vault.entries().at(-1)).toMatchObject(entry);
  const events = vault.events();
  await signIn();
  expect(vault.events()).toEqual(events);
});

it('a Tier 1 credential has 43 characters, no more and no less', async () => {
  const vault = new InProcessVault({
    approvers: memoryDirectory([]),
    mayApprove: () => true,
    rarTypes: [],
    audiences: [],
    maxTtlSeconds: 600,
    webauthn: { rpId: 'localhost', origins: [] },
    clock: () => NOW * 1000,
    random: randomBytes,
  });
  const code = (credential: string) =>
    expectRefusal(() => vault.consume(credential, 'x', {}), 'MalformedCredential');
  for (const text of [
    `a${'A'.repeat(43)}`,
    `${'A'.repeat(43)}\n`,
    `.${'A'.repeat(43)}`,
    'A'.repeat(42),
  ])
    await code(text);
  await expectRefusal(() => vault.consume('A'.repeat(43), 'x', {}), 'UnknownIssuer');
});

it('the audience of an assertion is the vault', async () => {
  const { vault } = await served();
  expect(clientKeys.bridge.keyId).toHaveLength(43);
  const own = await vault.service.clients.authenticate(assertion('bridge', { aud: ISSUER }));
  expect(own.clientId).toBe('bridge');
});
