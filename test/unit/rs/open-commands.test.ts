import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TaskActions } from '../../../rs/actions/task-actions.js';
import { Fixture } from './fixture.js';
import { keyPair } from './keys.js';

const f = new Fixture();
beforeAll(() => f.start());
afterAll(() => f.close());
beforeEach(() => {
  f.nowMs += 60_000;
});
const code = async (...args: Parameters<Fixture['open']>) => {
  const { body } = await f.open(...args);
  return String(body.code ?? body.status);
};

describe('the seven scope cases', () => {
  const READ = { scopes: ['tasks.read'] };
  const WRITE = { scopes: ['tasks.write'] };
  const NONE = { scopes: [] };
  it.each([
    ['list_tasks', {}, READ, 'success'],
    ['list_tasks', {}, WRITE, 'Unauthorized'],
    ['list_tasks', {}, NONE, 'Unauthorized'],
    ['create_task', { title: 'x' }, WRITE, 'success'],
    ['create_task', { title: 'x' }, READ, 'Unauthorized'],
    ['delete_task', { task_id: 't-1' }, READ, 'Unauthorized'],
    ['delete_task', { task_id: 't-1' }, WRITE, 'ApprovalRequired'],
  ])('%s %j with %j: %s', async (command, args, caller, expected) => {
    expect(await code(command, args, caller)).toBe(expected);
  });

  it('names the missing scopes', async () => {
    const { body, status } = await f.open('list_tasks', {}, { scopes: ['tasks.READ'] });
    expect({ status, ...body }).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      layer: 'rs',
      missing_scopes: ['tasks.read'],
    });
  });

  it('a scope refusal comes before the gate, whatever is presented', async () => {
    const body = { caller: f.caller({ scopes: ['tasks.read'] }), credential: 'junk' };
    expect(await f.verdict(f.request({ body }))).toBe('Unauthorized');
  });
});

it('arguments its schema refuses are named, and nothing is changed', async () => {
  const before = await f.taskIds();
  const run = vi.spyOn(TaskActions.prototype, 'run');
  const { body } = await f.open('create_task', { title: 'x', done: true });
  expect(run).not.toHaveBeenCalled();
  run.mockRestore();
  expect(body).toMatchObject({ code: 'MalformedRequest', layer: 'rs', path: 'args.done' });
  expect(await f.taskIds()).toEqual(before);
});

describe('which commands are gated is this server’s own table', () => {
  it('a gated command without credential, without signature, or without both is refused', async () => {
    const { credential, signed, ...bare } = f.request();
    expect(await f.verdict(bare)).toBe('ApprovalRequired');
    expect(await f.verdict({ ...bare, credential })).toBe('ApprovalRequired');
    expect(await f.verdict({ ...bare, signed })).toBe('ApprovalRequired');
  });

  it('a command the table does not name is gated', async () => {
    await f.restart({ commands: {} });
    expect(await code('list_tasks', {})).toBe('ApprovalRequired');
    await f.restart();
  });

  it('a command no action implements does not exist, also by inheritance', async () => {
    for (const command of ['drop_tables', 'constructor', '__proto__', 'toString', 'LIST_TASKS']) {
      expect(await code(command, {})).toBe('UnknownTool');
    }
  });

  it('a credential presented for an open command is judged, not ignored', async () => {
    const payload = f.payload({ cmd: 'list_tasks', args: {} });
    expect(await f.verdict(f.request({ payload, body: { credential: 'junk' } }))).toBe(
      'MalformedCredential',
    );
    const { credential, ...unsigned } = f.request({ payload });
    expect(typeof credential).toBe('string');
    expect(await f.verdict(unsigned)).toBe('ApprovalRequired');
    const call = f.request({ payload });
    expect(await f.verdict(call)).toBe('success');
    expect(await f.verdict(call)).toBe('CredentialReplay');
  });
});

describe('the service must be authenticated', () => {
  const call = (authorization: string) =>
    f
      .http('POST', '/v1/execute', JSON.stringify({ command: 'list_tasks' }), { authorization })
      .then(({ body, status }) => `${status} ${String(body.code)}`);
  const seconds = (delta: number) => Math.floor(f.nowMs / 1000) + delta;
  const REFUSED = '401 Unauthenticated';
  const KNOWN = '400 MalformedRequest';

  it('an honest assertion gets to the body', async () => {
    expect(await call(`Bearer ${f.serviceAssertion()}`)).toBe(KNOWN);
    expect(await call(`bearer ${f.serviceAssertion()}`)).toBe(KNOWN);
  });

  it.each<[string, () => string]>([
    ['none', () => ''],
    ['another scheme', () => `Basic ${f.serviceAssertion()}`],
    ['junk', () => 'Bearer a.b.c'],
    ['another key', () => `Bearer ${f.serviceAssertion({}, {}, keyPair())}`],
    ['alg none', () => `Bearer ${f.serviceAssertion({}, { alg: 'none' })}`],
    ['typ of a credential', () => `Bearer ${f.serviceAssertion({}, { typ: 'at+jwt' })}`],
    ['a jwk header', () => `Bearer ${f.serviceAssertion({}, { jwk: f.bridge.jwk })}`],
    ['an unknown client', () => `Bearer ${f.serviceAssertion({ iss: 'x', sub: 'x' })}`],
    ['another subject', () => `Bearer ${f.serviceAssertion({ sub: 'consent-ui' })}`],
    ['another audience', () => `Bearer ${f.serviceAssertion({ aud: 'http://127.0.0.1:8422' })}`],
    ['an audience list', () => `Bearer ${f.serviceAssertion({ aud: [f.url] })}`],
    ['expired', () => `Bearer ${f.serviceAssertion({ iat: seconds(-65), exp: seconds(-5) })}`],
    [
      'from the future',
      () => `Bearer ${f.serviceAssertion({ iat: seconds(6), exp: seconds(60) })}`,
    ],
    ['for too long', () => `Bearer ${f.serviceAssertion({ exp: seconds(61) })}`],
    ['a claim more', () => `Bearer ${f.serviceAssertion({ scope: 'all' })}`],
  ])('%s is refused', async (_name, authorization) => {
    expect(await call(authorization())).toBe(REFUSED);
  });

  it('says how to authenticate', async () => {
    const response = await fetch(`${f.url}/v1/surface`);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  it('a remembered assertion dies at its expiry', async () => {
    const authorization = `Bearer ${f.serviceAssertion()}`;
    expect(await call(authorization)).toBe(KNOWN);
    f.nowMs += 59_000;
    expect(await call(authorization)).toBe(KNOWN);
    f.nowMs += 6000;
    expect(await call(authorization)).toBe(REFUSED);
  });

  it('a client without the role is known and refused', async () => {
    const assertion = f.serviceAssertion({ iss: 'watcher', sub: 'watcher' }, {}, f.alice);
    expect(await call(`Bearer ${assertion}`)).toBe('403 Forbidden');
  });

  it('health needs no authentication and tells nothing', async () => {
    expect(await (await fetch(`${f.url}/healthz`)).json()).toEqual({ status: 'ok' });
  });
});

describe('bodies', () => {
  const send = async (body: string, headers: Record<string, string> = {}) => {
    const answer = await f.http('POST', '/v1/execute', body, headers);
    return `${answer.status} ${String(answer.body.code)} ${String(answer.body.path)}`;
  };
  const call = () => f.request({ payload: f.payload({ args: { task_id: 't-99' } }) });

  it('are strict JSON of the documented shape', async () => {
    expect(await send('')).toBe('400 MalformedJson ');
    expect(await send('{')).toBe('400 MalformedJson ');
    expect(await send('{"command":"a","command":"b"}')).toBe('400 MalformedJson command');
    expect(await send('[]')).toBe('400 MalformedRequest ');
    const extra = { ...call(), admin: true };
    expect(await send(JSON.stringify(extra))).toBe('400 MalformedRequest admin');
    const caller = { ...f.caller(), scopes: 'tasks.write' };
    expect(await send(JSON.stringify({ ...call(), caller }))).toBe(
      '400 MalformedRequest caller.scopes',
    );
    expect(await send('{}', { 'content-type': 'text/plain' })).toBe(
      '400 MalformedRequest undefined',
    );
  });

  it('larger than 256 KiB are refused', async () => {
    expect(await send(`"${'x'.repeat(262_144)}"`)).toBe('413 PayloadTooLarge undefined');
  });

  it('unknown routes, methods and long paths are problems too', async () => {
    expect((await f.http('GET', '/v1/nothing')).body.code).toBe('NotFound');
    expect((await f.http('DELETE', '/v1/execute')).body.code).toBe('NotFound');
    expect((await f.http('GET', `/v1/executions/${'x'.repeat(300)}`)).body.code).toBe('NotFound');
    expect((await f.http('GET', '/v1/executions/%E0%A4%A')).body.code).toBe('NotFound');
  });

  it('none of that was an error inside', () => {
    expect(f.errors).toEqual([]);
  });
});
