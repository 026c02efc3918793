/** Published MCP servers of both eras and both transports behind the resource server. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hostile, OPEN, published, UpstreamFixture } from './upstream-fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const f = new UpstreamFixture();
const dir = mkdtempSync(join(tmpdir(), 'rs-up-'));
const children: ChildProcess[] = [];

/** server-everything over Streamable HTTP, kept to the loopback interface. */
async function everythingOverHttp(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const { args } = published('server-everything', 'streamableHttp');
  const preload = join(import.meta.dirname, '../../support/upstream-servers/loopback.mjs');
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes('listening')) break;
  }
  return `http://127.0.0.1:${port}/mcp`;
}

async function modernOverHttp(): Promise<string> {
  const { command, args } = hostile('modern.mjs');
  const child = spawn(command, args, {
    env: { ...process.env, HTTP: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}/mcp`;
}

const LIST_WITH = { list_with: ['sampling', 'elicitation', 'roots'] };
beforeAll(async () => {
  await f.startWith(
    {
      all: { ...published('server-everything', 'stdio'), ...LIST_WITH },
      web: { url: await everythingOverHttp(), ...LIST_WITH },
      files: published('server-filesystem', dir),
      memory: {
        ...published('server-memory'),
        env: { MEMORY_FILE_PATH: join(dir, 'memory.json') },
      },
      modern: hostile('modern.mjs'),
      far: { url: await modernOverHttp() },
    },
    {
      '*': OPEN,
      files__write_file: { scopes: ['tasks.write'], mode: 'gated' },
      memory__delete_entities: { scopes: [], mode: 'denied' },
    },
  );
  await f.ready('all', 'web', 'files', 'memory', 'modern', 'far');
});
afterAll(async () => {
  await f.close();
  for (const child of children) child.kill();
  rmSync(dir, { recursive: true });
});

describe('the surface', () => {
  it('lists tools, resources, templates and prompts of every upstream, with digests', async () => {
    const { tools, resources, resource_templates, prompts, upstreams } = await f.surface();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'all__echo',
        'web__echo',
        'files__read_file',
        'modern__add',
        'far__add',
      ]),
    );
    const echo = tools.find(({ name }) => name === 'web__echo');
    expect(echo).toMatchObject({
      upstream: 'web',
      digest: expect.stringMatching(/^[\w-]{43}$/),
      input_schema: { type: 'object' },
    });
    expect(echo?.digest).toBe(tools.find(({ name }) => name === 'all__echo')?.digest);
    expect(resources.find(({ uri }) => uri === 'note://one')?.upstream).toBe('modern');
    expect(resource_templates[0]).toMatchObject({
      upstream: 'all',
      uriTemplate: expect.any(String),
    });
    expect(prompts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['all__simple-prompt', 'far__ask']),
    );
    expect(upstreams.find(({ name }) => name === 'far')).toMatchObject({
      state: 'ready',
      prefix: 'far__',
      instructions: 'be kind',
    });
    expect(names).not.toContain('list_tasks');
  });
});

describe.each(['all', 'web'])('a server of the 2025 era (%s)', (name) => {
  const call = (
    tool: string,
    args: object,
    more: object = {},
    answers?: Parameters<typeof f.lines>[2],
  ) =>
    f.lines(
      '/v1/execute',
      { command: `${name}__${tool}`, args, caller: f.caller(), lane: f.lane(), ...more },
      answers,
    );

  it('runs a tool; its result is the upstream’s own', async () => {
    expect(await call('echo', { message: 'hi' })).toEqual([
      {
        kind: 'outcome',
        outcome: { status: 'success', result: { content: [{ type: 'text', text: 'Echo: hi' }] } },
      },
    ]);
  });

  it('answers a service that takes no lines with the outcome alone', async () => {
    const { status, body } = await f.open(`${name}__echo`, { message: 'hi' });
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'success' } });
  });

  it('tells of progress as it happens, without the token', async () => {
    const args = { duration: 0.05, steps: 3 };
    const lines = await call('trigger-long-running-operation', args, { progress: true });
    const notification = (progress: number) => ({
      kind: 'notification',
      method: 'notifications/progress',
      params: { progress, total: 3 },
    });
    expect(lines.slice(0, 3)).toEqual([1, 2, 3].map(notification));
    expect(lines.at(-1)).toMatchObject({ outcome: { status: 'success' } });
  });

  it('asks for a sample, an answer and roots, of a client that can give them', async () => {
    const able = {
      lane: f.lane({ sampling: {}, elicitation: { form: {} }, roots: {} }, `${name}-able`),
    };
    const answers = ({ method }: { method: string }) => {
      if (method === 'roots/list')
        return { result: { roots: [{ uri: 'file:///there', name: 'there' }] } };
      if (method === 'elicitation/create') return { result: { action: 'decline' } };
      return {
        result: { role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled' } },
      };
    };
    const sampled = await call(
      'trigger-sampling-request',
      { prompt: 'x', maxTokens: 5 },
      able,
      answers,
    );
    expect(
      sampled.some((line) => line.kind === 'ask' && line.method === 'sampling/createMessage'),
    ).toBe(true);
    expect(f.text(sampled.at(-1)!)).toContain('sampled');
    const elicited = await call('trigger-elicitation-request', {}, able, answers);
    expect(f.text(elicited.at(-1)!)).toContain('declined');
  });

  it('is not asked through one that cannot, nor through a service that takes no lines', async () => {
    const lines = await call('trigger-sampling-request', { prompt: 'x', maxTokens: 5 });
    expect(lines).toHaveLength(1);
    expect(f.text(lines[0]!)).toMatch(/not found/);
    const body = {
      command: `${name}__trigger-sampling-request`,
      args: { prompt: 'x', maxTokens: 5 },
    };
    const lane = f.lane({ sampling: {} }, `${name}-mute`);
    const { body: outcome } = await f.execute({ ...body, caller: f.caller(), lane });
    expect(outcome).toMatchObject({ status: 'failure', error: { code: 'ToolFailed' } });
  });

  it('checks arguments against the schema and says where they are wrong', async () => {
    const [line] = await call('get-sum', { a: 1, b: 'two' });
    expect(line).toMatchObject({
      problem: { code: 'MalformedRequest', layer: 'rs', path: 'args.b' },
    });
    expect((await call('get-sum', { a: 1 }))[0]).toMatchObject({ problem: { path: 'args.b' } });
  });

  it('reads resources, gets prompts and completes arguments', async () => {
    const { resources } = await f.surface();
    const uri = resources.find(({ upstream }) => upstream === 'all')!.uri;
    const read = await f.call(`${name}:resources/read`, { uri });
    expect(read).toMatchObject({ outcome: { status: 'success', result: { contents: [{ uri }] } } });
    const got = await f.call(`${name}:prompts/get`, {
      name: 'args-prompt',
      arguments: { city: 'Paris' },
    });
    expect(JSON.stringify(got)).toContain('Paris');
    const missing = await f.call(`${name}:prompts/get`, { name: 'args-prompt' });
    expect(missing).toMatchObject({
      problem: { code: 'MalformedRequest', path: 'args.arguments' },
    });
    const ref = { type: 'ref/prompt', name: 'completable-prompt' };
    const params = { ref, argument: { name: 'department', value: 'E' } };
    const completed = await f.lines('/v1/relay', {
      upstream: name,
      method: 'completion/complete',
      params,
      caller: f.caller(),
      lane: f.lane(),
    });
    expect(completed).toMatchObject([
      { kind: 'result', result: { completion: { values: ['Engineering'] } } },
    ]);
    const wrong = { ref: { type: 'ref/prompt', name: 'nope' }, argument: { name: 'x', value: '' } };
    const failed = await f.lines('/v1/relay', {
      upstream: name,
      method: 'completion/complete',
      params: wrong,
      caller: f.caller(),
    });
    expect(failed).toMatchObject([{ kind: 'error', error: { code: expect.any(Number) } }]);
  });
});

describe.each(['modern', 'far'])('a server of the 2026 era (%s)', (name) => {
  it('runs a tool and loses nothing of its result', async () => {
    const { outcome } = (await f.call(`${name}__add`, { a: 1.5, b: 2 })) as {
      outcome: { result: object };
    };
    expect(outcome.result).toMatchObject({
      structuredContent: { sum: 3.5 },
      _meta: { 'test/kept': true },
      unheard_of: 1,
    });
  });

  it('gets the request’s own `_meta`, without what is the protocol’s', async () => {
    const meta = {
      traceparent: '00-1',
      progressToken: 'mine',
      'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
    };
    const seen = JSON.parse(f.text(await f.call(`${name}__meta`, {}, { meta }))) as object;
    expect(seen).toEqual({ traceparent: '00-1' });
  });

  it('asks with input_required, and the answer reaches it', async () => {
    const lane = f.lane({ elicitation: { form: {} } }, `${name}-form`);
    const answers = () => ({ result: { action: 'accept', content: { name: 'Ada' } } });
    const lines = await f.lines(
      '/v1/execute',
      { command: `${name}__name`, args: {}, caller: f.caller(), lane },
      answers,
    );
    expect(lines).toMatchObject([
      { kind: 'ask', method: 'elicitation/create' },
      { kind: 'outcome' },
    ]);
    expect(f.text(lines[1]!)).toBe('hello Ada');
    const refused = await f.call(`${name}__name`, {});
    expect(refused).toMatchObject({
      outcome: { status: 'failure', error: { code: 'UpstreamError' } },
    });
  });

  it('tells of progress', async () => {
    const lines = await f.lines('/v1/execute', {
      command: `${name}__steps`,
      args: {},
      caller: f.caller(),
      lane: f.lane(),
      progress: true,
    });
    expect(lines.filter(({ kind }) => kind === 'notification')).toHaveLength(3);
  });

  it('reads resources and gets prompts', async () => {
    expect(await f.call(`${name}:resources/read`, { uri: 'note://one' })).toMatchObject({
      outcome: { result: { contents: [{ text: 'a note' }] } },
    });
    expect(
      JSON.stringify(
        await f.call(`${name}:prompts/get`, { name: 'ask', arguments: { topic: 'x' } }),
      ),
    ).toContain('about x');
    expect(await f.call(`${name}:resources/read`, { uri: 'note://none' })).toMatchObject({
      outcome: {
        status: 'failure',
        error: { code: 'UpstreamError', rpc: { code: expect.any(Number) } },
      },
    });
  });
});

describe('a gated upstream tool', () => {
  const file = join(dir, 'written.txt');
  const args = { path: file, content: 'by hand' };
  const approved = () => f.request({ payload: f.payload({ cmd: 'files__write_file', args }) });

  it('runs with a credential, once, and its outcome is kept', async () => {
    expect(await f.call('files__write_file', args)).toMatchObject({
      problem: { code: 'ApprovalRequired' },
    });
    expect(existsSync(file)).toBe(false);
    const call = approved();
    const lines = await f.lines('/v1/execute', call);
    expect(lines.at(-1)).toMatchObject({
      kind: 'outcome',
      outcome: { status: 'success', jti: expect.any(String) },
    });
    expect(readFileSync(file, 'utf8')).toBe('by hand');
    const { outcome } = lines.at(-1) as { outcome: { jti: string } };
    const { body } = await f.http('GET', `/v1/executions/${outcome.jti}`);
    expect(body).toMatchObject({ state: 'success', outcome });
    writeFileSync(file, 'changed since');
    expect(await f.verdict(call)).toBe('CredentialReplay');
    expect(readFileSync(file, 'utf8')).toBe('changed since');
  });

  it('refuses arguments its schema refuses before the credential is spent', async () => {
    const wrong = f.request({
      payload: f.payload({ cmd: 'files__write_file', args: { path: file } }),
    });
    expect(await f.execute(wrong)).toMatchObject({
      body: { code: 'MalformedRequest', path: 'args.content' },
    });
  });

  it('denied is denied, whoever signs', async () => {
    const payload = f.payload({ cmd: 'memory__delete_entities', args: { entityNames: ['a'] } });
    expect(await f.verdict(f.request({ payload }))).toBe('ToolDenied');
  });
});

it('children get only what they need of the environment', async () => {
  const env = JSON.parse(f.text(await f.call('all__get-env', {}))) as Record<string, string>;
  const allowed = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR'];
  expect(Object.keys(env).filter((name) => !allowed.includes(name))).toEqual([]);
});

it('nothing of this was an error inside', () => {
  expect(f.errors).toEqual([]);
});
