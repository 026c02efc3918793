import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { TaskActions } from '../../../rs/actions/task-actions.js';
import { JwksIssuerKeys } from '../../../rs/issuer-keys.js';
import { listApprovers, revoke, seedTasks, trust } from '../../../rs/operator.js';
import { enrolledKeysAt, JsonOrigin } from '../../../rs/vault-http.js';
import { Fixture } from './fixture.js';
import { assertion, credentialIdOf, jti, keyPair, signRaw } from './keys.js';

let f: Fixture;
beforeEach(async () => {
  f = await new Fixture().start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await f.close();
});
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const last = () => f.record().at(-1);
const seconds = () => Math.floor(f.nowMs / 1000);

describe('the record says', () => {
  it('of an open call who called, and what came of it', async () => {
    await f.open('list_tasks', {});
    expect(last()).toMatchObject({
      ...{ event: 'execution.open', command: 'list_tasks', subject: 'alice', client_id: 'agent' },
      ...{ status: 'success', domain: 'rs', at_ms: f.nowMs },
    });
    const answer = await f.open('get_task', { task_id: 't-99' });
    expect(last()).toMatchObject({
      ...{ status: 'failure', error: 'NoSuchTask' },
      outcome_sha256: digest(JSON.stringify(answer.body)),
    });
  });

  it('of a gated call who signed, who asked, and what came of it', async () => {
    const call = f.request();
    const answer = await f.execute(call);
    const id = String(answer.body.jti);
    const [started, finished] = f.record().slice(-2);
    expect(started).toMatchObject({
      ...{ event: 'execution.started', jti: id, service: 'bridge', command: 'delete_task' },
      ...{ subject: 'alice', client_id: 'agent', approver_id: 'alice', key_id: f.alice.keyId },
    });
    expect(finished).toMatchObject({
      ...{ event: 'execution.finished', jti: id, status: 'success' },
      outcome_sha256: digest(JSON.stringify(answer.body)),
    });
    expect(finished).not.toHaveProperty('error');
  });

  it('of a refused call what was refused, and which credential it was', async () => {
    const call = f.request({ body: { args: { task_id: 't-2' } } });
    await f.execute(call);
    expect(last()).toMatchObject({
      ...{ event: 'execution.refused', code: 'CredentialDrift', layer: 'rs', path: 'args' },
      ...{ service: 'bridge', command: 'delete_task', subject: 'alice', client_id: 'agent' },
      credential_sha256: digest(call.credential),
    });
    await f.open('delete_task', { task_id: 't-1' });
    expect(last()).toMatchObject({ code: 'ApprovalRequired' });
    expect(last()).not.toHaveProperty('credential_sha256');
    expect(last()).not.toHaveProperty('path');
    expect(last()).not.toHaveProperty('detail');
  });

  it('no more of a path or a detail than 256 characters', async () => {
    const name = 'n'.repeat(1000);
    await f.open('create_task', { title: 'x', [name]: 1 });
    expect(last()).toMatchObject({ code: 'MalformedRequest', path: `args.${name}`.slice(0, 256) });
    const credential = f.vault.mint({ ...f.claims(f.payload()), [name]: 1, sub: 7 });
    await f.execute(f.request({ body: { credential } }));
    expect(last()).toMatchObject({ code: 'MalformedCredential', detail: 'claim sub' });
  });

  it('of a key by whom it was trusted, and when it was revoked', async () => {
    const bob = { approver_id: 'bob', key_id: f.bob.keyId };
    await f.trust('bob', f.bob);
    expect(last()).toMatchObject({
      event: 'approver.trusted',
      ...bob,
      scheme: 'eddsa',
      source: 'operator',
    });
    await revoke(f.dir, f.clock, { keyId: f.bob.keyId });
    expect(last()).toMatchObject({
      event: 'approver.revoked',
      key_id: f.bob.keyId,
      at_ms: f.nowMs,
    });
  });

  it('of an execution that broke off that nobody knows what it did', async () => {
    vi.spyOn(TaskActions.prototype, 'run').mockRejectedValueOnce(new Error('disk'));
    const call = f.request();
    await f.execute(call);
    const events = f.record().map(({ event }) => event);
    expect(events.slice(-2)).toEqual(['execution.indeterminate', 'execution.refused']);
    expect(f.record().at(-2)).toHaveProperty('jti');
  });
});

describe('an operator', () => {
  const jwkOf = (pair: ReturnType<typeof keyPair>) => JSON.stringify(pair.jwk);

  it('trusts a raw key by its type, from text or from a file', async () => {
    const [ec, okp] = [keyPair(), keyPair('EdDSA')];
    const file = join(f.dir, 'carol.jwk');
    writeFileSync(file, jwkOf(okp));
    const one = await trust(f.dir, f.clock, { approver: 'carol', publicJwk: `  ${jwkOf(ec)}` });
    const two = await trust(f.dir, f.clock, { approver: 'carol', publicJwk: file, label: 'card' });
    const key = { approver_id: 'carol', created_at: seconds() };
    expect(one).toEqual({
      ...{ ...key, key_id: ec.keyId, scheme: 'es256', public_jwk: ec.jwk },
      label: 'trusted by operator',
    });
    expect(two).toEqual({
      ...{ ...key, key_id: okp.keyId, scheme: 'eddsa', public_jwk: okp.jwk, label: 'card' },
    });
  });

  it('trusts a passkey by its credential id', async () => {
    const pair = keyPair();
    const credentialId = credentialIdOf(pair);
    const made = await trust(f.dir, f.clock, {
      approver: 'carol',
      publicJwk: jwkOf(pair),
      credentialId,
    });
    expect(made).toMatchObject({ scheme: 'webauthn', credential_id: credentialId });
  });

  test.each([
    ['an RSA key without a credential id', 'RS256', {}],
    ['a scheme the key is not of', 'ES256', { scheme: 'eddsa' }],
    ['a passkey without its credential id', 'ES256', { scheme: 'webauthn' }],
    ['a credential id of a raw key', 'ES256', { scheme: 'es256', credentialId: 'AAAA' }],
    ['a shared secret’s scheme', 'ES256', { scheme: 'hmac-sha256' }],
    ['a scheme there is not', 'ES256', { scheme: 'rsa' }],
    ['an empty name', 'ES256', { approver: '' }],
  ] as const)('does not trust %s', async (_what, alg, options) => {
    const before = await listApprovers(f.dir, f.clock);
    const made = trust(f.dir, f.clock, {
      approver: 'carol',
      publicJwk: jwkOf(keyPair(alg)),
      ...options,
    });
    await expect(made).rejects.toThrow();
    expect(await listApprovers(f.dir, f.clock)).toEqual(before);
  });

  it('gives nobody the key of another', async () => {
    const stolen = trust(f.dir, f.clock, { approver: 'mallory', publicJwk: jwkOf(f.alice) });
    await expect(stolen).rejects.toThrow();
    expect(await listApprovers(f.dir, f.clock)).toMatchObject([
      { approver_id: 'alice', revoked: false },
    ]);
  });

  it('revokes one key or all of an approver, each once', async () => {
    const [one, two, bob] = [keyPair(), keyPair(), f.bob];
    for (const pair of [one, two]) await f.trust('carol', pair);
    await f.trust('bob', bob);
    expect(await revoke(f.dir, f.clock, { keyId: one.keyId })).toEqual([one.keyId]);
    expect(await revoke(f.dir, f.clock, { approver: 'carol' })).toEqual([two.keyId]);
    expect(await revoke(f.dir, f.clock, { approver: 'carol' })).toEqual([]);
    expect(await revoke(f.dir, f.clock, {})).toEqual([]);
    const states = (await listApprovers(f.dir, f.clock)).map((k) => [k.key_id, k.revoked]);
    expect(Object.fromEntries(states)).toEqual({
      ...{ [f.alice.keyId]: false, [bob.keyId]: false, [one.keyId]: true, [two.keyId]: true },
    });
  });

  it('seeds tasks, if there are none or in any case', () => {
    const titles = ['a', 'b'];
    expect(seedTasks(f.dir, f.clock, { titles, ifEmpty: true })).toEqual([]);
    expect(seedTasks(f.dir, f.clock, { titles, ifEmpty: false })).toEqual(['t-4', 't-5']);
  });
});

describe('a key that is trusted anew', () => {
  it('holds as it was trusted last', async () => {
    const payload = f.payload({ args: { task_id: 't-99' } });
    expect(await f.verdict(f.request({ payload }))).toBe('failure');
    await f.trust('alice', f.alice, true);
    const raw = f.payload({ args: { task_id: 't-99' } });
    expect(await f.verdict(f.request({ payload: raw }))).toBe('UnknownApprover');
    const again = f.payload({ args: { task_id: 't-99' } });
    const signed = { payload: again, signature: assertion(f.alice, again) };
    expect(await f.verdict(f.request({ payload: again, signed }))).toBe('failure');
    const other = f.payload({ args: { task_id: 't-99' } });
    const elsewhere = {
      payload: other,
      signature: assertion(f.alice, other, { credentialId: 'AAAA' }),
    };
    expect(await f.verdict(f.request({ payload: other, signed: elsewhere }))).toBe(
      'UnknownApprover',
    );
  });
});

describe('an execution', () => {
  it('too long to keep is answered, and its state kept', async () => {
    const result = { text: 'x'.repeat(262_144) };
    vi.spyOn(TaskActions.prototype, 'run').mockResolvedValueOnce({ status: 'success', result });
    const answer = await f.execute(f.request());
    expect(answer.body.result).toEqual(result);
    const path = `/v1/executions/${String(answer.body.jti)}`;
    expect((await f.http('GET', path)).body).toEqual({ jti: answer.body.jti, state: 'success' });
  });

  it('as long as may be is kept', async () => {
    const id = jti(f.nowMs);
    const empty = JSON.stringify({ jti: id, status: 'success', result: { text: '' } });
    const result = { text: 'x'.repeat(262_144 - empty.length) };
    vi.spyOn(TaskActions.prototype, 'run').mockResolvedValueOnce({ status: 'success', result });
    const answer = await f.execute(f.request({ claims: { jti: id } }));
    const { body } = await f.http('GET', `/v1/executions/${id}`);
    expect(body).toEqual({ jti: id, state: 'success', outcome: answer.body });
  });

  it('is forgotten a day after its deadline, not before', async () => {
    const call = f.request();
    const { body } = await f.execute(call);
    const state = async () => (await f.http('GET', `/v1/executions/${String(body.jti)}`)).status;
    f.nowMs += (300 + 24 * 3600) * 1000;
    await f.restart();
    expect(await state()).toBe(200);
    f.nowMs += 1000;
    await f.restart();
    expect(await state()).toBe(404);
  });

  it('cannot be repeated with a clock set back behind what is forgotten', async () => {
    const payload = f.payload();
    const call = f.request({ payload, claims: { iat: seconds() } });
    const start = f.nowMs;
    f.nowMs += (300 + 2 * 3600) * 1000 + 1000;
    await f.restart();
    f.nowMs = start;
    expect(await f.verdict(call)).toBe('CredentialExpired');
  });
});

describe('a server that stops', () => {
  it('ends the connections of those it still answers', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let begin: () => void = () => undefined;
    const began = new Promise<void>((resolve) => (begin = resolve));
    vi.spyOn(TaskActions.prototype, 'run').mockImplementationOnce(async () => {
      begin();
      await released;
      return { status: 'success', result: {} };
    });
    const send = () =>
      fetch(`${f.url}/v1/execute`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${f.serviceAssertion()}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(f.request()),
      });
    const answer = send();
    await began;
    const stopped = f.stop();
    await new Promise((resolve) => setImmediate(resolve));
    release();
    expect((await answer).headers.get('connection')).toBe('close');
    await stopped;
  });

  it('and not before', async () => {
    const { headers } = await fetch(`${f.url}/healthz`);
    expect(headers.get('connection')).not.toBe('close');
  });
});

describe('the issuer’s keys', () => {
  const [one, two] = [keyPair(), keyPair('EdDSA')];
  const listed = (pair: typeof one, kid: string | undefined = pair.keyId) => ({ ...pair.jwk, kid });
  const keysOf = (...answers: (object | Error)[]) => {
    const time = { ms: f.nowMs };
    let fetches = 0;
    const keys = new JwksIssuerKeys(
      () => {
        const answer = answers[Math.min(fetches++, answers.length - 1)]!;
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      () => time.ms,
    );
    return { time, keys, fetches: () => fetches, find: (kid: string) => keys.find(kid) };
  };

  it('are those of kinds it knows, the first of each id', async () => {
    const document = {
      keys: [
        { kty: 'oct', k: 'AA', kid: 'x' },
        listed(one, 'a'),
        listed(two, 'a'),
        listed(two, 'b'),
        two.jwk,
      ],
    };
    const { find } = keysOf(document);
    expect((await find('a'))?.keyId).toBe(one.keyId);
    expect((await find('b'))?.keyId).toBe(two.keyId);
    expect(await find('x')).toBeUndefined();
    expect(await find('undefined')).toBeUndefined();
  });

  it('are fetched again when the clock was set back', async () => {
    const { time, find, fetches } = keysOf({ keys: [listed(one)] });
    await find(one.keyId);
    time.ms -= 1;
    await find(one.keyId);
    expect(fetches()).toBe(2);
  });

  it('are not asked for more than once a second while the issuer is away', async () => {
    const { time, find, fetches } = keysOf(new Error('away'));
    const verdict = () => find('x').catch((error: unknown) => error);
    for (const [ms, expected] of [
      [0, 1],
      [999, 1],
      [1000, 2],
      [1000, 2],
    ] as const) {
      time.ms = f.nowMs + ms;
      expect(await verdict()).toMatchObject({ code: 'Unavailable', layer: 'rs' });
      expect(fetches()).toBe(expected);
    }
  });

  it('once there again are simply there', async () => {
    const { time, find } = keysOf(new Error('away'), { keys: [listed(one)] });
    await find('x').catch(() => undefined);
    time.ms += 1000;
    expect((await find(one.keyId))?.keyId).toBe(one.keyId);
    expect(await find('x')).toBeUndefined();
  });
});

describe('the vault over HTTP', () => {
  const serve = async (status: number, body: string) => {
    const seen: {
      url: string | undefined;
      authorization: string | undefined;
      method: string | undefined;
    }[] = [];
    const server = createServer((request, response) => {
      seen.push({
        url: request.url,
        authorization: request.headers.authorization,
        method: request.method,
      });
      response.writeHead(status, { location: '/elsewhere' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = new JsonOrigin(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const close = async () => {
      await origin.close();
      server.closeAllConnections();
      server.close();
    };
    return { seen, origin, close, keysOf: enrolledKeysAt(origin, () => 'a.b.c') };
  };
  const entry = () => ({
    ...{ approver_id: 'alice', key_id: f.alice.keyId, scheme: 'es256', label: '', created_at: 1 },
    public_jwk: { ...f.alice.jwk },
  });

  it('lists the keys of an approver, asked for by name and with proof', async () => {
    const { seen, keysOf, close } = await serve(200, JSON.stringify({ keys: [entry()] }));
    expect(await keysOf('a/b c')).toEqual([entry()]);
    expect(seen).toEqual([
      { url: '/v1/approvers/a%2Fb%20c/keys', authorization: 'Bearer a.b.c', method: 'GET' },
    ]);
    await close();
  });

  it('does not know an approver', async () => {
    const { keysOf, close } = await serve(404, '{}');
    expect(await keysOf('alice')).toEqual([]);
    await close();
  });

  test.each<[string, number, string]>([
    ['refuses', 403, '{"keys":[]}'],
    ['points elsewhere', 302, '{"keys":[]}'],
    ['answers otherwise', 201, '{"keys":[]}'],
    ['fails', 500, '{"keys":[]}'],
    ['says something else', 200, '{"keys":[{}]}'],
    ['says a thing twice', 200, '{"keys":[],"keys":[]}'],
    ['says too much', 200, JSON.stringify({ keys: [], more: ' '.repeat(262_144) })],
  ])('counts as away if it %s', async (_what, status, body) => {
    const { seen, keysOf, close } = await serve(status, body);
    await expect(keysOf('alice')).rejects.toMatchObject({ code: 'Unavailable', layer: 'rs' });
    expect(seen).toHaveLength(1);
    await close();
  });
});

it('a call in which two things are wrong is refused for the first', async () => {
  const payload = f.payload({ cmd: 'update_task', args: { task_id: 't-1', done: 'x' } });
  const signed = signRaw(keyPair(), payload);
  expect(await f.verdict(f.request({ payload, signed }))).toBe('UnknownApprover');
  const body = { credential: 'x', caller: f.caller({ scopes: [] }) };
  expect(await f.verdict(f.request({ body }))).toBe('Unauthorized');
});
