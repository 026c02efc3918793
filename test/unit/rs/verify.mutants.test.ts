import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TaskActions } from '../../../rs/actions/task-actions.js';
import { checkCommandKnown } from '../../../rs/checks/check-command-known.js';
import { loadPrivateKey } from '../../../rs/client-assertion.js';
import { readConfig, rsConfig } from '../../../rs/config.js';
import { endConnectionsOnClose } from '../../../rs/end-connections.js';
import { JwksIssuerKeys } from '../../../rs/issuer-keys.js';
import { KeyList } from '../../../rs/key-list.js';
import { newJti } from '../../../rs/new-jti.js';
import { revoke } from '../../../rs/operator.js';
import { enrolledKeysAt, JsonOrigin } from '../../../rs/vault-http.js';
import type { Call, Use } from '../../../rs/verify.js';
import { createVerifier } from '../../../rs/verify.js';
import type { ApproverKey } from '../../../src/contract/wire.js';
import { Fixture, ISSUER, RESOURCE } from './fixture.js';
import { keyPair, signRaw } from './keys.js';

let f: Fixture;
beforeEach(async () => {
  f = await new Fixture().start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await f.close();
});
const entry = (pair: ReturnType<typeof keyPair>, changes: object = {}): ApproverKey => ({
  ...{ approver_id: 'alice', key_id: pair.keyId, scheme: 'es256', label: '', created_at: 1 },
  public_jwk: { ...pair.jwk } as ApproverKey['public_jwk'],
  ...changes,
});
const serve = async (status: number, body: string, location = '') => {
  const server = createServer((_request, response) => {
    response.writeHead(status, location === '' ? {} : { location }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

describe('a verifier', () => {
  const uses: Use[] = [];
  const verifier = (changes: object = {}) =>
    createVerifier({
      resource: RESOURCE,
      issuer: ISSUER,
      jwks: `${f.vault.url}/.well-known/jwks.json`,
      webauthn: { rpId: 'localhost', origins: ['http://localhost:8421'] },
      approvers: [entry(f.alice)],
      use: (use) => Promise.resolve(uses.push(use) > 0),
      clock: f.clock,
      ...changes,
    });
  const call = (changes: object = {}) => f.request(changes) as unknown as Call;
  beforeEach(() => {
    uses.length = 0;
  });

  it('tells what is used by its two names and its deadline, and nothing else', async () => {
    const { jti, hash, exp, keyId } = await verifier().verify(call());
    expect(uses).toEqual([{ jti, hash, exp }]);
    expect(keyId).toBe(f.alice.keyId);
  });

  it('takes ES256 and EdDSA, by the clock on the wall', async () => {
    f.nowMs = Date.now();
    const okp = keyPair('EdDSA');
    f.vault.published = [f.vault.key, okp];
    const payload = f.payload();
    const credential = f.vault.mint(f.claims(payload), {}, okp);
    const on = verifier({ clock: undefined });
    await on.verify(call());
    await on.verify(call({ payload, body: { credential } }));
    expect(uses).toHaveLength(2);
    f.nowMs -= 3_600_000;
    await expect(on.verify(call())).rejects.toMatchObject({ code: 'CredentialExpired' });
  });

  it('takes the keys of the issuer from a function', async () => {
    const keys = [{ ...f.vault.key.jwk, kid: f.vault.key.keyId }];
    await verifier({ jwks: () => Promise.resolve({ keys }) }).verify(call());
    expect(f.vault.seen).toEqual([]);
  });

  it('follows no redirect, and takes no answer but a good one', async () => {
    const keys = JSON.stringify({ keys: [{ ...f.vault.key.jwk, kid: f.vault.key.keyId }] });
    for (const [status, location] of [
      [302, `${f.vault.url}/.well-known/jwks.json`],
      [500, ''],
      [404, ''],
    ] as const) {
      const server = await serve(status, keys, location);
      const refused = verifier({ jwks: server.url }).verify(call());
      await expect(refused).rejects.toMatchObject({ code: 'Unavailable', layer: 'rs' });
      server.close();
    }
    expect(f.vault.seen).toEqual([]);
  });
});

describe('a list of keys', () => {
  const [one, two] = [keyPair(), keyPair('EdDSA')];

  it('has the key of that approver and that id', async () => {
    const other = entry(one, { approver_id: 'bob' });
    const list = [
      other,
      entry(two, { scheme: 'eddsa' }),
      entry(one, { credential_id: 'AAAA', scheme: 'webauthn' }),
    ];
    for (const keys of [new KeyList(list), new KeyList(() => Promise.resolve(list))]) {
      const found = await keys.find('alice', one.keyId);
      expect(found).toMatchObject({ keyId: one.keyId, scheme: 'webauthn', credentialId: 'AAAA' });
      expect(await keys.find('alice', two.keyId)).toMatchObject({ scheme: 'eddsa' });
      expect(await keys.find('bob', two.keyId)).toBeUndefined();
      expect(await keys.find('alice', 'none')).toBeUndefined();
    }
  });

  it('has none under another name or of another scheme', async () => {
    for (const wrong of [
      entry(two, { key_id: one.keyId, scheme: 'eddsa' }),
      entry(one, { scheme: 'eddsa' }),
    ])
      await expect(new KeyList([wrong]).find('alice', one.keyId)).rejects.toThrow();
  });
});

describe('a server that stops', () => {
  const opened = async () => {
    const app = Fastify();
    endConnectionsOnClose(app);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    app.get('/slow', async () => {
      await released;
      return 'done';
    });
    app.get('/fast', () => 'done');
    await app.listen({ host: '127.0.0.1', port: 0 });
    const open = async () => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      let text = '';
      socket.setEncoding('utf8').on('data', (more: string) => (text += more));
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
      return {
        socket,
        ended,
        text: () => text,
        ask: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
      };
    };
    return { app, open, release: () => release() };
  };

  it('ends what asked nothing at once, and what waits with its answer', async () => {
    const { app, open, release } = await opened();
    const [silent, waiting] = [await open(), await open()];
    waiting.ask('/slow');
    await vi.waitFor(async () => {
      const count = await new Promise((resolve) =>
        app.server.getConnections((_e, n) => resolve(n)),
      );
      expect(count).toBe(2);
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const closed = app.close();
    await silent.ended;
    expect([silent.text(), waiting.text()]).toEqual(['', '']);
    release();
    await waiting.ended;
    expect(waiting.text()).toMatch(/^HTTP\/1\.1 200[^]*connection: close[^]*done/i);
    await closed;
  });

  it('keeps connections while it runs', async () => {
    const { app, open } = await opened();
    const one = await open();
    for (const times of [1, 2]) {
      one.ask('/fast');
      await vi.waitFor(() => expect(one.text().split('done')).toHaveLength(times + 1));
    }
    expect(one.text()).not.toMatch(/connection: close/i);
    one.socket.destroy();
    await app.close();
  });
});

it('a jti is 32 hex digits in the order of time', () => {
  expect(newJti(0)).toMatch(/^0{12}[0-9a-f]{20}$/);
  expect(newJti(0xabc_def_012)).toMatch(/^000abcdef012[0-9a-f]{20}$/);
  expect(new Set(Array.from({ length: 100 }, () => newJti(1))).size).toBe(100);
  expect(newJti(15) < newJti(16)).toBe(true);
});

describe('the resource server', () => {
  it('finds an execution by the longest id there is', async () => {
    const id = 'j'.repeat(128);
    expect(await f.verdict(f.request({ claims: { jti: id } }))).toBe('success');
    expect((await f.http('GET', `/v1/executions/${id}`)).body).toMatchObject({
      jti: id,
      state: 'success',
    });
  });

  it('refuses the signature of other bytes', async () => {
    const payload = f.payload();
    const { signature } = signRaw(f.alice, f.payload());
    const { body } = await f.execute(f.request({ payload, signed: { payload, signature } }));
    expect(body).toMatchObject({ code: 'SignatureMismatch', layer: 'rs' });
  });

  it('says itself that it does not know what an action did', async () => {
    vi.spyOn(TaskActions.prototype, 'run').mockRejectedValueOnce(new Error('disk'));
    const { body } = await f.execute(f.request());
    expect(body).toMatchObject({ code: 'ExecutionIndeterminate', layer: 'rs' });
  });

  it('knows no command its actions do not have', async () => {
    const actions = { has: () => Promise.resolve(false) } as never;
    await expect(checkCommandKnown({ command: 'x' } as never, actions)).rejects.toMatchObject({
      ...{ code: 'UnknownTool', layer: 'rs' },
    });
  });

  it('revokes a key at a second, once', async () => {
    await revoke(f.dir, f.clock, { keyId: f.alice.keyId });
    await revoke(f.dir, f.clock, { keyId: f.alice.keyId });
    const revoked = f.record().filter(({ event }) => event === 'approver.revoked');
    expect(revoked).toHaveLength(1);
    const db = new Database(join(f.dir, 'rs.db'), { readonly: true });
    const at = db.prepare('SELECT revoked_at FROM approver_keys').pluck().get();
    db.close();
    expect(at).toBe(Math.floor(f.nowMs / 1000));
  });
});

describe('what cannot be read', () => {
  it('of a configuration is told with its cause and its place', () => {
    const dir = mkdtempSync(join(tmpdir(), 'rs-config-'));
    writeFileSync(join(dir, 'config.json'), '{');
    const cause = () => {
      try {
        return readConfig(dir);
      } catch (error) {
        return Object(error).cause as unknown;
      }
    };
    expect(cause()).toMatchObject({ code: 'MalformedJson', layer: 'rs' });
    rmSync(dir, { recursive: true });
    const jwks_uri = 'http://127.0.0.1:1/jwks.json';
    const clients = [{ client_id: 'a', public_jwk: {}, roles: [] }];
    const { error } = rsConfig.safeParse({ ...f.config(), jwks_uri, clients });
    expect(error?.issues[0]).toMatchObject({ code: 'custom', path: ['clients', 0, 'public_jwk'] });
  });

  it('of a key set counts as away', async () => {
    const keys = [{ ...f.vault.key.jwk, kid: f.vault.key.keyId }, { kid: 7 }];
    const issuer = new JwksIssuerKeys(() => Promise.resolve({ keys }), f.clock);
    await expect(issuer.find(f.vault.key.keyId)).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it('of the vault’s list because there is too much of it', async () => {
    const server = await serve(200, `{"keys":[]${' '.repeat(262_144)}}`);
    const origin = new JsonOrigin(server.url);
    await expect(enrolledKeysAt(origin, () => 'a.b.c')('alice')).rejects.toMatchObject({
      code: 'Unavailable',
    });
    await origin.close();
    server.close();
  });

  it('as this server’s own key is one of another curve', () => {
    for (const pair of [
      generateKeyPairSync('ec', { namedCurve: 'P-384' }),
      generateKeyPairSync('ed25519'),
    ])
      expect(() =>
        loadPrivateKey(JSON.stringify(pair.privateKey.export({ format: 'jwk' }))),
      ).toThrow();
  });
});
