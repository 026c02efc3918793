import SQLite from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../vault/store/open.js';
import { Ceremonies } from '../../../vault/store/ceremonies.js';
import { GroupCommit } from '../../../vault/store/group-commit.js';
import { addKey } from '../../../vault/operator/add-key.js';
import { expectRefusal } from './support/refusals.js';
import { form2, NOW, rawSigner } from './support/signers.js';
import { dataDirectory, openTestVault } from './support/test-vault.js';

describe('group commit', () => {
  function open() {
    const directory = dataDirectory();
    const db = openDatabase(directory);
    db.exec('CREATE TABLE n (n INTEGER PRIMARY KEY)');
    const insert = db.prepare<[number]>('INSERT INTO n VALUES (?)');
    const seen = () =>
      new SQLite(join(directory, 'vault.db')).prepare('SELECT n FROM n').pluck().all();
    return { db, commits: new GroupCommit(db), insert, seen };
  }

  it('resolves once another connection can read it', async () => {
    const { commits, insert, seen } = open();
    await Promise.all([1, 2, 3].map((n) => commits.run(() => insert.run(n))));
    expect(seen()).toEqual([1, 2, 3]);
  });

  it('shares one transaction between concurrent writes', async () => {
    const { db, commits } = open();
    const rounds = await Promise.all([1, 2, 3].map(() => commits.run(() => db.inTransaction)));
    expect(rounds).toEqual([true, true, true]);
    const order: string[] = [];
    const first = commits.run(() => order.push('work 1')).then(() => order.push('done 1'));
    const second = commits.run(() => order.push('work 2')).then(() => order.push('done 2'));
    await Promise.all([first, second]);
    expect(order).toEqual(['work 1', 'work 2', 'done 1', 'done 2']);
  });

  it('undoes the work that throws, and only that', async () => {
    const { commits, insert, seen } = open();
    const results = await Promise.allSettled([
      commits.run(() => insert.run(1)),
      commits.run(() => {
        insert.run(2);
        throw new Error('no');
      }),
      commits.run(() => insert.run(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen()).toEqual([1, 3]);
  });

  it('rejects all of a transaction that does not commit', async () => {
    const { db, commits, insert } = open();
    const results = await Promise.allSettled([
      commits.run(() => insert.run(1)),
      commits.run(() => {
        db.exec('ROLLBACK');
        throw new Error('disk full');
      }),
      commits.run(() => insert.run(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(db.prepare('SELECT n FROM n').pluck().all()).toEqual([]);
    await commits.run(() => insert.run(4));
  });
});

describe('the record', () => {
  it('cannot be changed, nor its last 30 days deleted', async () => {
    const vault = openTestVault(dataDirectory(), { ms: Date.now() });
    await addKey(vault.operator, 'alice', rawSigner('eddsa').publicJwk, 'x');
    const db = new SQLite(join(vault.directory, 'vault.db'));
    expect(() => db.exec("UPDATE record SET event = 'x'")).toThrow(/append-only/);
    expect(() => db.exec('DELETE FROM record')).toThrow(/30 days/);
    db.close();
  });

  it('is swept after a year', async () => {
    const vault = openTestVault(dataDirectory());
    await addKey(vault.operator, 'alice', rawSigner('eddsa').publicJwk, 'x');
    await vault.store.sweep();
    expect(vault.events()).toHaveLength(2);
    vault.time.ms += 366 * 86_400_000;
    await vault.store.sweep();
    expect(vault.events()).toHaveLength(0);
  });

  it('does not grow with what callers send', async () => {
    const { store, entries } = openTestVault(dataDirectory());
    await store.commits.run(() =>
      store.record.append('mint.refused', { path: 'x'.repeat(10_000) }),
    );
    expect(entries().at(-1)?.['path']).toBe('x'.repeat(300));
  });

  it('is read page by page', async () => {
    const { store, entries } = openTestVault(dataDirectory());
    await store.commits.run(() => {
      for (let i = 0; i < 2500; i += 1) store.record.append('invite.created', { i });
    });
    expect(entries().map(({ seq }) => seq)).toEqual(Array.from({ length: 2501 }, (_, i) => i + 1));
    expect([...store.record.after(2500)]).toMatchObject([{ i: 2499 }]);
  });
});

describe('mint keys', () => {
  it('overlap after a rotation; the retired one keeps no private half and is swept', async () => {
    const vault = openTestVault(dataDirectory());
    const { mintKeys } = vault.store;
    const old = mintKeys.active().keyId;
    const fresh = mintKeys.rotate('ES256', 100);
    expect(mintKeys.active().keyId).toBe(fresh);
    expect(
      mintKeys
        .published()
        .map(({ keyId }) => keyId)
        .sort(),
    ).toEqual([old, fresh].sort());
    const db = new SQLite(join(vault.directory, 'vault.db'));
    const secret = db.prepare('SELECT private_jwk FROM mint_key WHERE key_id = ?').pluck();
    expect(secret.get(old)).toBeNull();
    vault.time.ms = (NOW + 100) * 1000;
    expect(mintKeys.published().map(({ keyId }) => keyId)).toEqual([fresh]);
    await vault.store.sweep();
    expect(secret.get(old)).toBeUndefined();
    db.close();
  });

  it('a credential of the retired key is good during the overlap and not after it', async () => {
    const vault = openTestVault(dataDirectory());
    const alice = await vault.enrolRaw();
    const mint = async () => (await vault.as().mint(alice.sign(form2()))).credential;
    const consume = (credential: string) =>
      vault.as().consume(credential, 'delete_task', { task_id: 't-42' });
    const [one, two] = [await mint(), await mint()];
    vault.store.mintKeys.rotate('ES256', 100);
    await consume(one);
    vault.time.ms = (NOW + 100) * 1000;
    await expectRefusal(() => consume(two), 'UnknownIssuer');
  });

  it('change their algorithm with the configuration, and are otherwise kept across restarts', () => {
    const directory = dataDirectory();
    const first = openTestVault(directory).store.mintKeys.active().keyId;
    expect(openTestVault(directory).store.mintKeys.active().keyId).toBe(first);
    const { mintKeys } = openTestVault(directory).store;
    mintKeys.ensure('EdDSA', 60);
    expect(mintKeys.active().alg).toBe('EdDSA');
    expect(
      mintKeys
        .published()
        .map(({ alg }) => alg)
        .sort(),
    ).toEqual(['ES256', 'EdDSA']);
  });
});

describe('open ceremonies', () => {
  it('are bounded, each kind by itself: the newest stay', () => {
    const ceremonies = new Ceremonies(openDatabase(dataDirectory()), 2);
    const ceremony = { challenge: 'x', invite_hash: null };
    ceremonies.open('e', 'enrolment', ceremony, NOW + 1);
    for (const n of [2, 3, 4]) ceremonies.open(`s${n}`, 'sign-in', ceremony, NOW + n);
    const open = (['e', 's2', 's3', 's4'] as const).filter(
      (id) => ceremonies.take(id, id === 'e' ? 'enrolment' : 'sign-in', NOW) !== undefined,
    );
    expect(open).toEqual(['e', 's3', 's4']);
  });
});

describe('approver keys', () => {
  it('are one approver’s only, and never come back once revoked', async () => {
    const { operator, store } = openTestVault(dataDirectory());
    const { publicJwk, keyId } = rawSigner('eddsa');
    await addKey(operator, 'alice', publicJwk, 'x');
    await expect(addKey(operator, 'mallory', publicJwk, 'x')).rejects.toThrow(/already/);
    await store.commits.run(() => store.approverKeys.revoke(keyId, NOW));
    await expect(addKey(operator, 'alice', publicJwk, 'x')).rejects.toThrow(/already/);
    expect(store.approverKeys.activeOf('alice')).toEqual([]);
  });
});

it('a file of a newer schema is left alone', () => {
  const directory = dataDirectory();
  const db = openDatabase(directory);
  db.pragma('user_version = 99');
  db.close();
  expect(() => openDatabase(directory)).toThrow(/schema 99/);
});
