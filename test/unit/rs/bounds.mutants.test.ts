import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import * as z from 'zod';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TaskActions } from '../../../rs/actions/task-actions.js';
import { TaskStore } from '../../../rs/actions/task-store.js';
import { ApproverDirectory } from '../../../rs/approver-directory.js';
import { ClientAuthentication } from '../../../rs/client-authentication.js';
import { endConnectionsOnClose } from '../../../rs/end-connections.js';
import { firstIssue } from '../../../rs/first-issue.js';
import { loadPublicKey } from '../../../rs/public-key.js';
import type { DomainStores } from '../../../rs/store/domain-stores.js';
import { openDomainStores } from '../../../rs/store/domain-stores.js';
import type { ApproverKey } from '../../../src/contract/wire.js';
import { Fixture, RESOURCE } from './fixture.js';
import { jws, keyPair } from './keys.js';

const NOW = 1_900_000_000;
let dir: string;
let stores: DomainStores;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'rs-bounds-'));
  stores = openDomainStores(dir, () => NOW * 1000);
});
afterEach(() => {
  vi.restoreAllMocks();
  stores.close();
  rmSync(dir, { recursive: true });
});

/** As many keys as asked for: from the second on one and the same under ids of their own, which nobody verifies with. */
const entry = (pair: ReturnType<typeof keyPair>, changes: object = {}): ApproverKey => ({
  ...{ approver_id: 'alice', key_id: pair.keyId, scheme: 'es256', label: '', created_at: 1 },
  public_jwk: { ...pair.jwk } as ApproverKey['public_jwk'],
  ...changes,
});
const directory = (enrolled?: () => Promise<readonly ApproverKey[]>) =>
  new ApproverDirectory({
    ...{ store: stores.approvers, commits: stores.commits, record: stores.record },
    ...{ clock: () => NOW * 1000, enrolled },
  });

describe('of what can be worked out again a thousand are remembered', () => {
  it('assertions: each costs one verification, until they are too many', async () => {
    const pair = keyPair();
    let verifications = 0;
    const key = loadPublicKey(pair.jwk);
    const client = {
      clientId: 'bridge',
      roles: ['execute'],
      get key() {
        verifications += 1;
        return key;
      },
    };
    const auth = new ClientAuthentication([client], RESOURCE, () => NOW * 1000);
    const made = (jti: string) =>
      jws(
        pair,
        { alg: 'ES256', typ: 'client-authentication+jwt', kid: pair.keyId },
        { iss: 'bridge', sub: 'bridge', aud: RESOURCE, iat: NOW, exp: NOW + 60, jti },
      );
    /** How often the key was looked at for it: not at all, if it is remembered. */
    const cost = async (token: string) => {
      const before = verifications;
      await auth.authenticate(`Bearer ${token}`, 'execute');
      return verifications - before;
    };
    const tokens = Array.from({ length: 1001 }, (_, i) => made(`j${i}`));
    const [first, second] = [tokens[0]!, tokens[1]!];
    const once = await cost(first);
    expect(once).toBeGreaterThan(0);
    expect([await cost(second), await cost(first), await cost(second)]).toEqual([once, 0, 0]);
    for (const token of tokens.slice(2, 1000)) await cost(token);
    expect(await cost(first)).toBe(0);
    expect(await cost(tokens[1000]!)).toBe(once);
    expect(await cost(first)).toBe(once);
  });

  it('rows of keys: the same one, until they are too many', async () => {
    const pair = keyPair();
    const id = (i: number) => Buffer.alloc(32, `key ${i}`).toString('base64url');
    await stores.commits.run(() => {
      for (let i = 0; i <= 1000; i++) stores.approvers.put(entry(pair, { key_id: id(i) }));
    });
    const first = stores.approvers.get(id(0));
    const second = stores.approvers.get(id(1));
    expect([stores.approvers.get(id(0)), stores.approvers.get(id(1))]).toEqual([first, second]);
    expect(stores.approvers.get(id(0))).toBe(first);
    for (let i = 2; i < 1000; i++) stores.approvers.get(id(i));
    expect(stores.approvers.get(id(0))).toBe(first);
    stores.approvers.get(id(1000));
    expect(stores.approvers.get(id(0))).not.toBe(first);
  });

  it('loaded keys: the same one, until they are too many', async () => {
    const pairs = Array.from({ length: 1001 }, () => keyPair('EdDSA'));
    await stores.commits.run(() => {
      for (const pair of pairs) stores.approvers.put(entry(pair, { scheme: 'eddsa' }));
    });
    const keys = directory();
    const load = async (i: number) => (await keys.find('alice', pairs[i]!.keyId))?.keyObject;
    const first = await load(0);
    await load(1);
    expect(await load(0)).toBe(first);
    for (let i = 2; i < 1000; i++) await load(i);
    expect(await load(0)).toBe(first);
    await load(1000);
    expect(await load(0)).not.toBe(first);
  });
});

describe('a key', () => {
  it('pinned and revoked by another process while the vault was asked stays revoked', async () => {
    const key = entry(keyPair());
    const keys = directory(() => {
      stores.approvers.put(key);
      stores.approvers.revoke(key.key_id, 1);
      return Promise.resolve([key]);
    });
    expect(await keys.find('alice', key.key_id)).toBeUndefined();
    expect(stores.approvers.get(key.key_id)?.revoked).toBe(true);
  });

  it('whose row holds another is not used', async () => {
    const [one, two] = [keyPair(), keyPair()];
    stores.approvers.put(entry(one));
    const db = new Database(join(dir, 'rs.db'));
    db.prepare('UPDATE approver_keys SET public_jwk = ?').run(JSON.stringify(two.jwk));
    db.close();
    await expect(directory().find('alice', one.keyId)).rejects.toMatchObject({
      ...{ code: 'Internal', layer: 'rs' },
    });
  });
});

it('stores that are closed are closed', () => {
  const tasks = new TaskStore(join(dir, 'tasks.db'), () => NOW * 1000);
  tasks.close();
  expect(() => tasks.count()).toThrow();
  const others = openDomainStores(dir, () => NOW * 1000);
  others.close();
  expect(() => others.approvers.list()).toThrow();
});

it('an error without an issue is told as one without a place', () => {
  expect(firstIssue(new z.ZodError([]))).toBe(': ');
});

it('a stop ends the connection of an answer that was under way', async () => {
  const app = Fastify();
  endConnectionsOnClose(app);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  app.get('/', async (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-length': 4 });
    reply.raw.write('ha');
    await released;
    reply.raw.end('lf');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  let ended = false;
  socket.setEncoding('utf8').on('data', (more: string) => (text += more));
  socket.once('end', () => (ended = true));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitFor(() => expect(text).toMatch(/ha$/));
  const closed = app.close();
  await new Promise((resolve) => setImmediate(resolve));
  release();
  await vi.waitFor(() => expect([text.endsWith('half'), ended]).toEqual([true, true]));
  socket.destroy();
  await closed;
});

describe('a server', () => {
  it('tells an action which service sent the call', async () => {
    const f = await new Fixture().start();
    const run = vi.spyOn(TaskActions.prototype, 'run');
    await f.execute(f.request());
    const [action, sender] = run.mock.calls[0] as unknown as [{ check: string }, object];
    expect([action.check, sender]).toEqual([
      'unused',
      expect.objectContaining({ service: 'bridge' }),
    ]);
    await f.close();
  });

  it('forgets every minute what was kept long enough', async () => {
    const every = vi.spyOn(globalThis, 'setInterval');
    const f = await new Fixture().start();
    const timers = every.mock.calls.filter(([, ms]) => ms === 60_000);
    expect(timers.length).toBeGreaterThan(0);
    const db = new Database(join(f.dir, 'rs.db'));
    db.prepare("INSERT INTO record (at_ms, event, data) VALUES (1, 'old', '{}')").run();
    for (const [tick] of timers) tick();
    const count = () => db.prepare("SELECT count(*) FROM record WHERE event = 'old'").pluck().get();
    await vi.waitFor(() => expect(count()).toBe(0));
    db.close();
    await f.close();
  });
});
