import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TaskActions } from '../../../rs/actions/task-actions.js';
import { bundle } from './bundle.js';
import { Fixture } from './fixture.js';
import { b64, jti, sha256 } from './keys.js';

// Child processes start slowly where cores are few.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let f: Fixture;
beforeEach(async () => {
  f = await new Fixture().start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await f.close();
});

const jtiOf = (credential: string) =>
  String(JSON.parse(Buffer.from(credential.split('.')[1]!, 'base64url').toString()).jti);
const state = async (id: string) =>
  String((await f.http('GET', `/v1/executions/${id}`)).body.state);

describe('one credential runs at most once', () => {
  it('a repeat is refused, and the outcome can be looked up', async () => {
    const call = f.request();
    const first = await f.execute(call);
    expect(first.body).toMatchObject({ status: 'success', result: { deleted: 't-1' } });
    expect(await f.verdict(call)).toBe('CredentialReplay');
    const looked = await f.http('GET', `/v1/executions/${jtiOf(call.credential)}`);
    expect(looked.body).toEqual({
      jti: jtiOf(call.credential),
      state: 'success',
      outcome: first.body,
    });
  });

  it('a tool’s own failure spends it too', async () => {
    const call = f.request({ payload: f.payload({ args: { task_id: 't-99' } }) });
    expect((await f.execute(call)).body).toMatchObject({
      status: 'failure',
      error: { code: 'NoSuchTask' },
    });
    expect(await f.verdict(call)).toBe('CredentialReplay');
    expect(await state(jtiOf(call.credential))).toBe('failure');
  });

  it('twenty at once: one runs', async () => {
    const call = f.request();
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => f.verdict(call)));
    expect(verdicts.filter((v) => v === 'success')).toHaveLength(1);
    expect(verdicts.filter((v) => v === 'CredentialReplay')).toHaveLength(19);
  });

  it('twenty different ones at once all run', async () => {
    const calls = Array.from({ length: 20 }, () =>
      f.request({
        payload: f.payload({ cmd: 'update_task', args: { task_id: 't-1', title: 'x' } }),
      }),
    );
    const verdicts = await Promise.all(calls.map((call) => f.verdict(call)));
    expect(new Set(verdicts)).toEqual(new Set(['success']));
  });

  it('across a restart', async () => {
    const call = f.request();
    expect(await f.verdict(call)).toBe('success');
    await f.restart();
    expect(await f.verdict(call)).toBe('CredentialReplay');
    const again = f.request({ payload: call.signed.payload });
    expect(await f.verdict(again)).toBe('SignatureReplay');
    expect(await state(jtiOf(call.credential))).toBe('success');
  });

  it('only the service that started it may look it up', async () => {
    const call = f.request();
    await f.execute(call);
    const headers = {
      authorization: `Bearer ${f.serviceAssertion({ iss: 'second', sub: 'second' }, {}, f.own)}`,
    };
    const path = `/v1/executions/${jtiOf(call.credential)}`;
    expect((await f.http('GET', path, undefined, headers)).body.code).toBe('NotFound');
  });

  it('a refused call leaves nothing used', async () => {
    const call = f.request();
    expect(await f.verdict({ ...call, args: { task_id: 't-2' } })).toBe('CredentialDrift');
    expect(await f.verdict(call)).toBe('success');
  });
});

describe('what is in between', () => {
  it('a live duplicate is a replay, the state is started, and a lost client cancels nothing', async () => {
    const held = hold();
    const call = f.request();
    const socket = httpRequest(`${f.url}/v1/execute`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${f.serviceAssertion()}`,
        'content-type': 'application/json',
      },
    });
    socket.on('error', () => undefined);
    socket.end(JSON.stringify(call));
    await held.began;
    expect(await state(jtiOf(call.credential))).toBe('started');
    expect(await f.verdict(call)).toBe('CredentialReplay');
    socket.destroy();
    held.release();
    await vi.waitFor(async () => expect(await state(jtiOf(call.credential))).toBe('success'));
    expect(await f.taskIds()).toEqual(['t-2', 't-3']);
  });

  it('an action that breaks off is indeterminate, and stays so', async () => {
    vi.spyOn(TaskActions.prototype, 'run').mockRejectedValueOnce(new Error('disk on fire'));
    const call = f.request();
    const answer = await f.execute(call);
    expect(answer).toMatchObject({ status: 500, body: { code: 'ExecutionIndeterminate' } });
    expect(JSON.stringify(answer.body)).not.toContain('fire');
    expect(await state(jtiOf(call.credential))).toBe('indeterminate');
    expect(await f.verdict(call)).toBe('ExecutionIndeterminate');
    expect(await f.taskIds()).toContain('t-1');
  });

  it('a stop waits for what is running', async () => {
    const held = hold();
    const call = f.request();
    const answer = f.execute(call);
    await held.began;
    const stopped = f.stop();
    held.release();
    expect((await answer).body.status).toBe('success');
    await stopped;
  });
});

/** Holds the next action after it began and before it acts. */
function hold() {
  const { promise: released, resolve: release } = deferred();
  const { promise: began, resolve: begin } = deferred();
  vi.spyOn(TaskActions.prototype, 'run').mockImplementationOnce(async function (
    this: TaskActions,
    action,
  ) {
    begin();
    await released;
    return this.run(action);
  });
  return { began, release };
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((r) => (resolve = r));
  return { promise, resolve };
}

describe('other processes', () => {
  let child: ReturnType<typeof bundle>;
  beforeAll(() => {
    child = bundle('test/unit/rs/consume-child.ts');
  });
  afterAll(() => child.remove());

  interface Racer {
    readonly process: ChildProcessByStdio<Writable, Readable, null>;
    readonly line: () => Promise<string>;
  }

  async function racer(mode: string, id: string, hash: string): Promise<Racer> {
    const args = [child.file, f.dir, mode, id, hash, String(f.exp)];
    const process_ = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
    const line = async () => String((await lines.next()).value);
    expect(await line()).toBe('ready');
    return { process: process_, line };
  }

  async function race(racers: Racer[]): Promise<string[]> {
    for (const one of racers) one.process.stdin.end('go');
    return Promise.all(racers.map((one) => one.line()));
  }

  it('twenty redeem one credential: one wins, nineteen clean refusals', async () => {
    const id = jti(f.nowMs);
    const hash = b64(sha256(id));
    const racers = await Promise.all(Array.from({ length: 20 }, () => racer('race', id, hash)));
    const results = await race(racers);
    expect(results.sort()).toEqual([...Array<string>(19).fill('CredentialReplay'), 'won']);
  });

  it('eight credentials over one signature: one wins', async () => {
    const hash = b64(sha256('one signature'));
    const racers = await Promise.all(
      Array.from({ length: 8 }, () => racer('race', jti(f.nowMs), hash)),
    );
    const results = await race(racers);
    expect(results.sort()).toEqual([...Array<string>(7).fill('SignatureReplay'), 'won']);
  });

  it('a crash between started and outcome: indeterminate, and never run again', async () => {
    const call = f.request();
    await f.stop();
    const id = jtiOf(call.credential);
    const { hash } = f.claims(call.signed.payload).consent;
    const crasher = await racer('die', id, hash);
    const exited = once(crasher.process, 'exit');
    expect(await race([crasher])).toEqual(['won']);
    expect((await exited)[1]).toBe('SIGKILL');
    await f.start();
    expect(await state(id)).toBe('indeterminate');
    expect(await f.verdict(call)).toBe('ExecutionIndeterminate');
    // A fresh credential over the same signature is no way around it.
    expect(await f.verdict(f.request({ payload: call.signed.payload }))).toBe('SignatureReplay');
    expect(await f.taskIds()).toContain('t-1');
    const entries = f.record().filter((e) => e['jti'] === id);
    expect(entries.map((e) => e.event)).toEqual(['execution.started', 'execution.indeterminate']);
  });
});

describe('sweeping', () => {
  it('forgets a used hash a minute after it could last be presented, an outcome after a day', async () => {
    const call = f.request();
    expect(await f.verdict(call)).toBe('success');
    const { exp } = call.signed.payload;
    const id = jtiOf(call.credential);
    f.nowMs = (exp + 24 * 3600) * 1000;
    await f.restart();
    expect(await state(id)).toBe('success');
    f.nowMs += 1000;
    await f.restart();
    expect((await f.http('GET', `/v1/executions/${id}`)).status).toBe(404);
    expect(await f.verdict(call)).toBe('CredentialExpired');
  });
});
