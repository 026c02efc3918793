import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from 'undici';
import { DOMAINS, domainDir } from '../../src/cli/data-directory.js';
import { LegacyClient, elicitationOf, structured } from '../support/mcp-clients.js';
import { rawModern } from '../support/raw-modern.js';
import { TestStack } from '../support/test-stack.js';

let stack: TestStack;
let token: string;
let client: LegacyClient;

beforeAll(async () => {
  stack = await TestStack.start();
  await stack.person('alice@example.com');
  token = await stack.token('alice@example.com');
  client = await LegacyClient.http(stack, token);
});
afterAll(async () => {
  await client.close();
  await stack.stop();
});

async function post(
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await request(stack.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
  return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
}

describe('memory', () => {
  it('each process idles under 120 MB', () => {
    for (const domain of DOMAINS) {
      const status = readFileSync(`/proc/${stack.pid(domain)}/status`, 'utf8');
      const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
      console.log(`${domain}: ${Math.round(kib / 1024)} MB`);
      expect(kib / 1024).toBeLessThan(120);
    }
  });
});

describe('size', () => {
  it('a body over 256 KiB is refused with a typed error', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'x', arguments: { a: 'x'.repeat(262_144) } },
    });
    expect(await post(body)).toMatchObject({ status: 413, body: { code: 'PayloadTooLarge' } });
  });

  it('arguments over 64 KiB canonical are refused before anybody is asked', async () => {
    const before = (await stack.events('bridge', 'consent.raised')).length;
    const answer = await client.call('delete_task', { task_id: 'x'.repeat(65_536) });
    expect(structured(answer)).toMatchObject({ status: 'refused', code: 'PayloadTooLarge' });
    expect((await stack.events('bridge', 'consent.raised')).length).toBe(before);
  });
});

describe('JSON is taken strictly, from the raw text', () => {
  it.each([
    ['a duplicate member', '{"amount":1,"amount":2}', 'params.arguments.amount'],
    ['a number that overflows', '{"amount":1e400}', 'params.arguments.amount'],
    ['an integer that is not exact', '{"amount":9007199254740993}', 'params.arguments.amount'],
    ['a lone surrogate', '{"a":"\\ud800"}', 'params.arguments.a'],
    ['minus zero', '{"a":-0}', 'params.arguments.a'],
  ])('%s', async (_claim, args, path) => {
    const answer = await post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_task","arguments":${args}}}`,
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: -32_700, data: { code: 'MalformedJson', path } } },
    });
  });

  it('octets that are not UTF-8', async () => {
    const body = Buffer.from(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":"?"}}}',
    );
    body[body.indexOf('?')] = 0xff;
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { error: { data: { code: 'MalformedJson' } } },
    });
  });

  it('depth', async () => {
    const answer = await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { data: { code: 'MalformedJson' } } },
    });
  });
});

describe('who calls', () => {
  it.each([
    ['no token', {}],
    ['an unknown token', { authorization: 'Bearer cb_unknown' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
  ])('%s is 401 with a challenge', async (_claim, headers) => {
    const answer = await request(stack.mcpUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(await answer.body.json()).toMatchObject({ code: 'Unauthenticated', layer: 'bridge' });
  });

  it.each([
    ['another host name (DNS rebinding)', { host: 'evil.example' }],
    ['another origin', { origin: 'https://evil.example' }],
  ])('%s is refused', async (_claim, headers) => {
    expect((await post('{}', headers)).status).toBe(403);
  });
});

describe('numbers', () => {
  it('five new consents in a second for one caller, then RateLimited; another caller is unaffected', async () => {
    const raw = rawModern(stack, await stack.token('alice@example.com', { clientId: 'fast' }));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => raw.call('delete_task', { task_id: `t-fast-${n}` })),
    );
    const limited = answers.filter(
      ({ result }) =>
        (result['structuredContent'] as { code?: string } | undefined)?.code === 'RateLimited',
    );
    expect(answers.filter(({ url }) => url !== '').length).toBeGreaterThanOrEqual(5);
    expect(limited.length).toBeGreaterThan(0);
    elicitationOf(await client.call('delete_task', { task_id: 't-unaffected' }));
  });
});

describe('200 pending consents for one caller', () => {
  it('are the most: then TooManyConsents, until one is answered; another caller is unaffected', async () => {
    const clientId = 'hoarder';
    const raw = rawModern(stack, await stack.token('alice@example.com', { clientId }));
    expect((await raw.call('delete_task', { task_id: 't-first' })).url).not.toBe('');
    fillPending(clientId, 199);
    const refused = await raw.call('delete_task', { task_id: 't-over' });
    expect(refused.result['structuredContent']).toMatchObject({
      code: 'TooManyConsents',
      layer: 'dispatcher',
    });
    const other = rawModern(stack, await stack.token('alice@example.com', { clientId: 'modest' }));
    expect((await other.call('delete_task', { task_id: 't-over' })).url).not.toBe('');
    fillPending(clientId, -1);
    expect((await raw.call('delete_task', { task_id: 't-over' })).url).not.toBe('');
  });

  /** Copies the caller's one pending row, or removes copies, in the bridge's own store: 200 real calls would take 40 s. */
  function fillPending(clientId: string, count: number): void {
    const db = new Database(join(domainDir(stack.data, 'bridge'), 'bridge.db'));
    if (count < 0) db.prepare(`DELETE FROM consent WHERE id = 'copy-0'`).run();
    for (let n = 0; n < count; n += 1) {
      db.prepare(
        `INSERT INTO consent (id, lookup, generation, subject, client_id, proposal, exp, state)
         SELECT 'copy-' || ?, 'copy-' || ?, 0, subject, client_id, proposal, exp, state FROM consent
         WHERE client_id = ? AND state = 'pending' LIMIT 1`,
      ).run(String(n), String(n), clientId);
    }
    db.close();
  }
});

describe('the same JSON-RPC id with other content in one session', () => {
  it('is refused before any effect', async () => {
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const opened = await request(stack.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }),
    });
    await opened.body.text();
    const session = String(opened.headers['mcp-session-id']);
    const call = async (title: string): Promise<number> => {
      const answer = await request(stack.mcpUrl, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 7,
          method: 'tools/call',
          params: { name: 'create_task', arguments: { title } },
        }),
      });
      await answer.body.text();
      return answer.statusCode;
    };
    expect(await call('first')).toBe(200);
    const before = stack.taskIds();
    expect(await call('second')).toBe(400);
    expect(stack.taskIds()).toEqual(before);
  });
});
