import { createHash, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { TaskActions } from '../../../rs/actions/task-actions.js';
import type { TaskStore } from '../../../rs/actions/task-store.js';
import { runTask } from '../../../rs/actions/tasks.js';
import { checkDefinitionPinned } from '../../../rs/checks/check-definition-pinned.js';
import { checkOpen } from '../../../rs/checks/check-open.js';
import { Passed } from '../../../rs/states.js';
import type { DomainStores } from '../../../rs/store/domain-stores.js';
import { openDomainStores } from '../../../rs/store/domain-stores.js';
import type { ApproverKey } from '../../../src/contract/wire.js';
import { Fixture } from './fixture.js';
import { assertion, credentialIdOf, keyPair } from './keys.js';

const NOW = 1_900_000_000;
let dir: string;
let time: { ms: number };
let stores: DomainStores;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'rs-stores-'));
  time = { ms: NOW * 1000 };
  stores = openDomainStores(dir, () => time.ms);
});
afterEach(() => {
  vi.restoreAllMocks();
  stores.close();
  rmSync(dir, { recursive: true });
});
const record = () => [...stores.record.after(0)];
const reopen = () => {
  stores.close();
  stores = openDomainStores(dir, () => time.ms);
};

describe('a pinned key', () => {
  const pair = keyPair();
  const key: ApproverKey = {
    ...{ approver_id: 'alice', key_id: pair.keyId, scheme: 'webauthn', label: 'phone' },
    ...{
      public_jwk: { ...pair.jwk } as ApproverKey['public_jwk'],
      credential_id: 'AAAA',
      created_at: 1,
    },
  };

  it('is read anew only if its row changed', () => {
    stores.approvers.put(key);
    const first = stores.approvers.get(key.key_id);
    expect(first).toEqual({ ...key, revoked: false });
    expect(stores.approvers.get(key.key_id)).toBe(first);
  });

  test.each<[string, string | number, object]>([
    ['approver_id', 'bob', { approver_id: 'bob' }],
    ['scheme', 'es256', { scheme: 'es256' }],
    ['public_jwk', '{"kty":"OKP"}', { public_jwk: { kty: 'OKP' } }],
    ['credential_id', 'BBBA', { credential_id: 'BBBA' }],
    ['label', 'card', { label: 'card' }],
    ['created_at', 2, { created_at: 2 }],
    ['revoked_at', 3, { revoked: true }],
  ])('is what its row says, also if another process changed %s', (column, value, changed) => {
    stores.approvers.put(key);
    stores.approvers.get(key.key_id);
    const db = new Database(join(dir, 'rs.db'));
    db.prepare(`UPDATE approver_keys SET ${column} = ?`).run(value);
    db.close();
    expect(stores.approvers.get(key.key_id)).toEqual({ ...key, revoked: false, ...changed });
  });

  it('of a raw scheme has no credential id', () => {
    const raw = { ...key, scheme: 'es256' as const, credential_id: undefined };
    stores.approvers.put(raw);
    expect(stores.approvers.get(key.key_id)).not.toHaveProperty('credential_id');
    expect(stores.approvers.list()).toHaveLength(1);
    expect(stores.approvers.get('none')).toBeUndefined();
  });
});

describe('an execution', () => {
  const consumption = (jti: string, exp = NOW + 300) => ({
    ...{ jti, exp, hash: Buffer.from(`hash of ${jti}`).toString('base64url'), service: 'bridge' },
    ...{ command: 'c', subject: 's', clientId: 'a', approverId: 'p', keyId: 'k' },
  });
  const state = (jti: string) => stores.executions.find(jti, 'bridge')?.state;
  const success = { status: 'success', result: {} } as const;

  it('that broke off while the disk was full is indeterminate all the same, and written down later', async () => {
    await stores.executions.start(consumption('j'));
    vi.spyOn(stores.commits, 'run').mockRejectedValueOnce(new Error('disk full'));
    await expect(stores.executions.abandon('j')).rejects.toThrow();
    expect(stores.executions.find('j', 'bridge')).toEqual({ jti: 'j', state: 'indeterminate' });
    expect(stores.executions.find('j', 'other')).toBeUndefined();
    await expect(stores.executions.start(consumption('j'))).rejects.toMatchObject({
      ...{ code: 'ExecutionIndeterminate', layer: 'rs' },
    });
    await stores.executions.sweep();
    expect(record().at(-1)).toMatchObject({ event: 'execution.indeterminate', jti: 'j' });
    const events = record().length;
    await stores.executions.sweep();
    expect(record()).toHaveLength(events);
    reopen();
    expect(state('j')).toBe('indeterminate');
  });

  it('that an earlier process left is indeterminate, what ended is not', async () => {
    await stores.executions.start(consumption('lost'));
    await stores.executions.start(consumption('done'));
    await stores.executions.finish('done', success);
    expect([state('lost'), state('done')]).toEqual(['started', 'success']);
    reopen();
    await stores.executions.recover();
    expect([state('lost'), state('done')]).toEqual(['indeterminate', 'success']);
    expect(record().at(-1)).toMatchObject({ event: 'execution.indeterminate', jti: 'lost' });
    await expect(stores.executions.start(consumption('lost'))).rejects.toMatchObject({
      code: 'ExecutionIndeterminate',
    });
    // Who ran it knows better.
    await stores.executions.finish('lost', success);
    expect(state('lost')).toBe('success');
    const events = record().length;
    await stores.executions.abandon('lost');
    expect([state('lost'), record().length]).toEqual(['success', events]);
  });

  it('is refused once its use may be forgotten, not at the very moment', async () => {
    time.ms += 2 * 3600 * 1000;
    await stores.executions.sweep();
    await stores.executions.start(consumption('at', NOW));
    await expect(stores.executions.start(consumption('before', NOW - 1))).rejects.toMatchObject({
      ...{ code: 'CredentialExpired', layer: 'rs' },
    });
  });
});

it('the record is kept for 400 days', () => {
  stores.record.append(time.ms, 'x', {});
  // The database itself keeps what is young by its own clock.
  const old = Date.now() - 31 * 86_400_000;
  stores.record.append(old, 'old', {});
  stores.record.sweep(old + 400 * 86_400_000);
  expect(record().map(({ event }) => event)).toEqual(['x', 'old']);
  stores.record.sweep(old + 400 * 86_400_000 + 1);
  expect(record().map(({ event }) => event)).toEqual(['x']);
});

it('ten thousand tasks are enough', () => {
  const store = (count: number) =>
    ({ count: () => count, create: () => ({ id: 't-1' }) }) as unknown as TaskStore;
  expect(runTask(store(9999), 'create_task', { title: 'x' }).status).toBe('success');
  expect(runTask(store(10_000), 'create_task', { title: 'x' })).toMatchObject({
    ...{ status: 'failure', error: { code: 'TooManyTasks' } },
  });
});

describe('checks that the order of checks makes hard to reach', () => {
  const call = (gated: boolean) =>
    ({
      command: 'c',
      args: {},
      facts: { gated, rule: { scopes: [], mode: gated ? 'gated' : 'open' }, request: {} },
      pass: (check: string) => check,
    }) as never;
  const actions = (changed: boolean) =>
    ({ isChanged: () => changed, checkInput: () => undefined }) as never;

  it('a gated call is no open one', () => {
    expect(checkOpen(call(false), actions(false))).toBe('open');
    expect(() => checkOpen(call(true), actions(false))).toThrow(
      expect.objectContaining({ code: 'ApprovalRequired', layer: 'rs' }),
    );
  });

  it('a definition that was changed runs nothing', () => {
    expect(checkDefinitionPinned(call(true), actions(false))).toBe('pinned');
    expect(() => checkDefinitionPinned(call(true), actions(true))).toThrow(
      expect.objectContaining({ code: 'DefinitionChanged', layer: 'rs' }),
    );
  });
});

describe('a server', () => {
  let f: Fixture;
  beforeEach(async () => {
    f = await new Fixture().start();
  });
  afterEach(() => f.close());

  it('reports what is nobody’s refusal, and says nothing of it', async () => {
    vi.spyOn(TaskActions.prototype, 'run').mockRejectedValueOnce(new Error('disk on fire'));
    const { status, body } = await f.open('list_tasks', {});
    expect([status, body.code, body.layer]).toEqual([500, 'Internal', 'rs']);
    expect(JSON.stringify(body)).not.toContain('fire');
    expect(String(f.errors)).toContain('disk on fire');
    f.errors.length = 0;
    await f.http('GET', '/nope');
    await f.open('delete_task', { task_id: 't-1' });
    expect(f.errors).toEqual([]);
  });

  it('takes each call through its checks in their order', async () => {
    const steps: string[] = [];
    type Step = (this: { readonly check: string }, next: string, facts: object) => unknown;
    const order = Passed.prototype as unknown as { pass: Step };
    const { pass } = order;
    vi.spyOn(order, 'pass').mockImplementation(function (
      this: { readonly check: string },
      next,
      facts,
    ) {
      steps.push(`${this.check} > ${next}`);
      return pass.call(this, next, facts);
    });
    const pairs = (...checks: string[]) =>
      checks.slice(1).map((check, i) => `${checks[i]!} > ${check}`);
    const first = ['known', 'allowed', 'pinned', 'scopes'];
    expect((await f.open('list_tasks', {})).body.status).toBe('success');
    expect(steps.splice(0)).toEqual(pairs(...first, 'open'));
    expect(await f.verdict(f.request())).toBe('success');
    const credential = [
      'approval',
      'shape',
      'signature',
      'issuer',
      'audience',
      'lifetime',
      'client',
    ];
    const consent = ['detail', 'command', 'args', 'bytes', 'approver', 'human', 'policy'];
    const use = ['input', 'reachable', 'unused'];
    expect(steps).toEqual(pairs(...first, ...credential, ...consent, ...use));
  });

  it('forgets at its start what was kept long enough', async () => {
    const db = new Database(join(f.dir, 'rs.db'));
    db.prepare("INSERT INTO record (at_ms, event, data) VALUES (1, 'old', '{}')").run();
    db.close();
    await f.restart();
    const events = f.record().map(({ event }) => event);
    expect(events).toContain('approver.trusted');
    expect(events).not.toContain('old');
  });

  it('names of two unknown members the first', async () => {
    const { body } = await f.execute({ ...f.request(), one: 1, two: 2 });
    expect(body).toMatchObject({ code: 'MalformedRequest', path: 'one' });
  });

  it('takes client data of a passkey in UTF-8 only', async () => {
    const passkey = keyPair();
    await f.trust('alice', passkey, true);
    const payload = f.payload({ args: { task_id: 't-99' } });
    const honest = assertion(passkey, payload, { clientData: { more: 'x' } });
    expect(await f.verdict(f.request({ payload, signed: { payload, signature: honest } }))).toBe(
      'failure',
    );
    const other = f.payload({ args: { task_id: 't-99' } });
    const bent = assertion(passkey, other, { clientData: { more: '\ufffd' } });
    if (bent.scheme !== 'webauthn') throw new Error('a passkey');
    const octets = Buffer.from(bent.client_data_json, 'base64url');
    const at = octets.indexOf(Buffer.from('\ufffd'));
    const broken = Buffer.concat([
      octets.subarray(0, at),
      Buffer.from([0xff]),
      octets.subarray(at + 3),
    ]);
    // Signed over these very octets: only that they are no text is wrong with them.
    const data = Buffer.from(bent.authenticator_data, 'base64url');
    const hash = createHash('sha256').update(broken).digest();
    const made = sign('sha256', Buffer.concat([data, hash]), passkey.privateKey);
    const signature = {
      ...bent,
      client_data_json: broken.toString('base64url'),
      signature: made.toString('base64url'),
    };
    expect(
      await f.verdict(f.request({ payload: other, signed: { payload: other, signature } })),
    ).toBe('SignatureMismatch');
  });

  it('pins of what the vault lists the key that signed', async () => {
    const [one, two] = [keyPair(), keyPair()];
    const entry = (pair: typeof one): ApproverKey => ({
      ...{ approver_id: 'alice', key_id: pair.keyId, scheme: 'webauthn', label: '', created_at: 1 },
      public_jwk: { ...pair.jwk } as ApproverKey['public_jwk'],
      credential_id: credentialIdOf(pair),
    });
    writeFileSync(
      join(f.dir, 'client.jwk'),
      JSON.stringify(f.own.privateKey.export({ format: 'jwk' })),
    );
    await f.restart({
      approvers: { trust_on_enrolment: true, directory_url: f.vault.url },
      client: { client_id: 'rs', private_jwk_file: 'client.jwk' },
    });
    const verdict = (pair: typeof one) => {
      const payload = f.payload({ args: { task_id: 't-99' } });
      return f.verdict(
        f.request({ payload, signed: { payload, signature: assertion(pair, payload) } }),
      );
    };
    expect(await verdict(one)).toBe('UnknownApprover');
    f.vault.enrolled = [entry(one), entry(two)];
    expect(await verdict(two)).toBe('failure');
    expect(await verdict(one)).toBe('failure');
    f.vault.enrolled = [];
    expect(await verdict(keyPair())).toBe('UnknownApprover');
  });
});
