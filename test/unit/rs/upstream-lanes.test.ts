/** Lanes: each client’s connections are its own, opened when needed and closed when not; events and asks on them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../../../src/contract/wire.js';
import { hostile, OPEN, UpstreamFixture } from './upstream-fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const dir = mkdtempSync(join(tmpdir(), 'rs-up-'));
const log = join(dir, 'log');
const logged = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
const f = new UpstreamFixture();
beforeAll(async () => {
  await f.startWith(
    {
      raw: { ...hostile('raw.mjs', { LOG: log }), prefix: '' },
      few: { ...hostile('raw.mjs'), max_lanes: 1 },
      brief: { ...hostile('raw.mjs', { LOG: `${log}-brief` }), idle_ms: 50 },
      modern: hostile('modern.mjs'),
      shut: hostile('raw.mjs'),
    },
    {
      '*': OPEN,
      'shut:resources/read': { scopes: ['never'], mode: 'open' },
      'few:resources/read': { scopes: [], mode: 'gated' },
    },
  );
  await f.ready('raw', 'few', 'brief', 'modern', 'shut');
});
afterAll(async () => {
  await f.close();
  rmSync(dir, { recursive: true });
});
const pid = async (command: string, more: object = {}) => f.text(await f.call(command, {}, more));
const lane = (id: string, capabilities = {}) => ({ lane: f.lane(capabilities, id) });

/** Opens an events stream and collects what comes. */
async function listen(body: object) {
  const abort = new AbortController();
  const response = await f.post('/v1/events', body, abort.signal);
  expect(response.status).toBe(200);
  const events: RunEvent[] = [];
  const done = (async () => {
    for await (const event of f.events(response)) events.push(event);
  })().catch(() => undefined);
  return { events, stop: () => (abort.abort(), done) };
}

describe('a lane', () => {
  it('keeps its connection, and no other lane is on it', async () => {
    const first = await pid('pid', lane('a'));
    expect(await pid('pid', lane('a'))).toBe(first);
    expect(await pid('pid', lane('b'))).not.toBe(first);
    expect(await pid('pid', lane('a', { sampling: {} }))).not.toBe(first);
    expect(await pid('pid', { ...lane('a'), caller: f.caller({ client_id: 'other' }) })).not.toBe(
      first,
    );
    expect(await pid('pid', { lane: undefined })).toBe(await pid('pid', { lane: undefined }));
  });

  it('of another service is another lane', async () => {
    const first = await pid('pid', lane('a'));
    const body = { command: 'pid', args: {}, caller: f.caller(), ...lane('a') };
    const assertion = f.serviceAssertion({ iss: 'second', sub: 'second' }, {}, f.own);
    const answer = await f.http('POST', '/v1/execute', JSON.stringify(body), {
      authorization: `Bearer ${assertion}`,
    });
    expect(answer.body.result.content[0].text).not.toBe(first);
  });

  it('is opened again after a crash', async () => {
    const first = await pid('pid', lane('crashes'));
    await f.call('crash', {}, lane('crashes'));
    expect(await pid('pid', lane('crashes'))).not.toBe(first);
  });

  it('is closed when it is not used', async () => {
    const first = await pid('brief__pid', lane('a'));
    await vi.waitFor(() => expect(() => process.kill(Number(first), 0)).toThrow());
    expect(await pid('brief__pid', lane('a'))).not.toBe(first);
  });

  it('gives way to another when it is idle, and not while it is busy', async () => {
    const first = await pid('few__pid', lane('a'));
    expect(await pid('few__pid', lane('b'))).not.toBe(first);
    const listening = await listen({ caller: f.caller(), ...lane('b') });
    expect(await f.call('few__pid', {}, lane('c'))).toMatchObject({
      problem: { code: 'RateLimited', layer: 'rs' },
    });
    await listening.stop();
    await vi.waitFor(async () => expect(await pid('few__pid', lane('c'))).toMatch(/^\d+$/));
  });

  it('has the level of logging its client set', async () => {
    await pid('pid', { lane: { ...f.lane({}, 'logging'), log_level: 'error' } });
    expect(logged()).toContain('level error');
    const params = { level: 'debug' };
    const body = {
      upstream: 'raw',
      method: 'logging/setLevel',
      params,
      caller: f.caller(),
      ...lane('logging'),
    };
    expect(await f.lines('/v1/relay', body)).toEqual([{ kind: 'result', result: {} }]);
    expect(logged()).toContain('level debug');
  });
});

describe('events', () => {
  it('tell a lane of what it watches, on its own connection', async () => {
    const mine = await listen({ caller: f.caller(), ...lane('watching') });
    const others = await listen({ caller: f.caller(), ...lane('other') });
    const params = { uri: 'x:one' };
    const body = {
      upstream: 'raw',
      method: 'resources/subscribe',
      params,
      caller: f.caller(),
      ...lane('watching'),
    };
    expect(await f.lines('/v1/relay', body)).toEqual([{ kind: 'result', result: {} }]);
    await vi.waitFor(() => expect(mine.events).toHaveLength(1));
    const own = await pid('pid', lane('watching'));
    expect(mine.events).toEqual([
      {
        kind: 'notification',
        method: 'notifications/resources/updated',
        params: { uri: 'x:one', pid: Number(own) },
      },
    ]);
    expect(others.events).toEqual([]);
    await Promise.all([mine.stop(), others.stop()]);
  });

  it('without a lane tell that the surface changed', async () => {
    const { revision } = await f.surface();
    const feed = await listen({});
    await vi.waitFor(() => expect(feed.events).toEqual([{ kind: 'surface', revision }]));
    await feed.stop();
  });

  it('end when the server stops', async () => {
    const feed = await listen({});
    await f.stop();
    await feed.stop();
    await f.startWith(
      {
        raw: { ...hostile('raw.mjs', { LOG: log }), prefix: '' },
        shut: hostile('raw.mjs'),
        few: hostile('raw.mjs'),
      },
      {
        '*': OPEN,
        'shut:resources/read': { scopes: ['never'], mode: 'open' },
        'few:resources/read': { scopes: [], mode: 'gated' },
      },
    );
    await f.ready('raw', 'shut', 'few');
  });
});

describe('relay', () => {
  const relay = async (body: object) =>
    (await f.lines('/v1/relay', { caller: f.caller(), lane: f.lane(), ...body }))[0];
  const code = async (body: object) => {
    const line = await relay(body);
    return line?.kind === 'problem' ? line.problem['code'] : line?.kind;
  };
  const subscribe = { method: 'resources/subscribe', params: { uri: 'x:one' } };

  it('passes on four methods and no others', async () => {
    for (const method of [
      'tools/call',
      'resources/read',
      'initialize',
      'ping',
      'sampling/createMessage',
    ]) {
      expect(await code({ upstream: 'raw', method, params: {} })).toBe('MalformedRequest');
    }
    expect(await code({ upstream: 'raw', ...subscribe })).toBe('result');
    expect(await code({ upstream: 'nobody', ...subscribe })).toBe('NotFound');
    expect(await code({ upstream: 'raw', method: 'resources/subscribe', params: { uri: 1 } })).toBe(
      'MalformedRequest',
    );
  });

  it('watching needs that reading is open to the caller', async () => {
    expect(await code({ upstream: 'shut', ...subscribe })).toBe('Unauthorized');
    expect(await code({ upstream: 'few', ...subscribe })).toBe('ApprovalRequired');
  });

  it('errors of the upstream are lines', async () => {
    const params = { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: '' } };
    expect(await relay({ upstream: 'raw', method: 'completion/complete', params })).toMatchObject({
      kind: 'error',
      error: { code: -32601 },
    });
  });
});

describe('asks', () => {
  const asks = (
    method: string,
    params: object,
    capabilities: object,
    answers?: Parameters<typeof f.lines>[2],
  ) =>
    f.lines(
      '/v1/execute',
      {
        command: 'asks',
        args: { method, params },
        caller: f.caller(),
        ...lane('asks', capabilities),
      },
      answers,
    );

  it('are answered by the client’s own result or error, as they are', async () => {
    const given = { roots: [{ uri: 'file:///x' }], more: { kept: true } };
    const lines = await asks('roots/list', {}, { roots: {} }, () => ({ result: given }));
    expect(JSON.parse(f.text(lines.at(-1)!))).toEqual({ result: given });
    const error = { code: -1, message: 'User rejected', data: { why: 'x' } };
    const refused = await asks('roots/list', {}, { roots: {} }, () => ({ error }));
    expect(JSON.parse(f.text(refused.at(-1)!))).toMatchObject({
      error: { code: -1, message: 'User rejected' },
    });
  });

  it('of another kind, or that the client cannot answer, get an error', async () => {
    const error = async (method: string, params: object, capabilities: object) => {
      const lines = await asks(method, params, capabilities);
      expect(lines).toHaveLength(1);
      return (JSON.parse(f.text(lines[0]!)) as { error: { code: number } }).error.code;
    };
    expect(await error('roots/list', {}, {})).toBe(-32601);
    expect(await error('tools/call', {}, { roots: {} })).toBe(-32601);
    expect(
      await error(
        'elicitation/create',
        { mode: 'url', url: 'https://x.example' },
        { elicitation: { form: {} } },
      ),
    ).toBe(-32602);
  });

  it('unknown or answered ones are NotFound, and so are those of another service', async () => {
    expect(await f.answer('00000000-0000-4000-8000-000000000000', { result: {} })).toBe(404);
    const ids: string[] = [];
    const assertion = f.serviceAssertion({ iss: 'second', sub: 'second' }, {}, f.own);
    const response = await f.post('/v1/execute', {
      command: 'asks',
      args: { method: 'roots/list', params: {} },
      caller: f.caller(),
      ...lane('asks', { roots: {} }),
    });
    for await (const event of f.events(response)) {
      if (event.kind !== 'ask') continue;
      ids.push(event.id);
      const foreign = await f.http('POST', `/v1/asks/${event.id}`, '{"result":{}}', {
        authorization: `Bearer ${assertion}`,
      });
      expect(foreign.body).toMatchObject({ code: 'NotFound', layer: 'rs' });
      expect(await f.answer(event.id, { result: { roots: [] } })).toBe(204);
    }
    expect(ids).toHaveLength(1);
    expect(await f.answer(ids[0]!, { result: {} })).toBe(404);
  });
});

it('none of that was an error inside', () => {
  expect(f.errors).toEqual([]);
});
