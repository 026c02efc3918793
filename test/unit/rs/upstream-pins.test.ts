/** Pinned definitions: what is accepted, what changed, who owns a name, and what an operator does about it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { canonicalJson } from '../../../src/contract/canonical.js';
import { acceptTools, diffTools, listTools } from '../../../rs/tool-operator.js';
import { hostile, OPEN, UpstreamFixture } from './upstream-fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const dir = mkdtempSync(join(tmpdir(), 'rs-up-'));
const TOOLS = join(dir, 'tools.json');
const inputSchema = { type: 'object', properties: { a: { type: 'number' } } };
const offer = (...tools: object[]) =>
  writeFileSync(TOOLS, JSON.stringify(tools.map((tool) => ({ inputSchema, ...tool }))));

const f = new UpstreamFixture();
const upstreams = {
  first: { ...hostile('raw.mjs', { TOOLS }), prefix: '' },
  second: { ...hostile('raw.mjs', { BEHAVIOUR: '' }), prefix: '' },
};
const config = { upstreams, commands: { '*': OPEN }, example_tasks: true };
beforeAll(async () => {
  offer(
    { name: 'echo', title: 'Echo', description: 'one', _meta: { icon: 1 } },
    { name: 'list_tasks' },
  );
  await f.start(config);
  // The operator commands read the prefixes from it.
  writeFileSync(join(f.dir, 'config.json'), JSON.stringify({ ...f.config(), ...config }));
  await f.ready('first', 'second');
});
afterAll(async () => {
  await f.close();
  rmSync(dir, { recursive: true });
});
const echo = async () => (await f.surface()).tools.find(({ name }) => name === 'echo');
const changed = () => vi.waitFor(async () => expect((await echo())?.blocked).toBe(true), 10_000);
const code = async (command: string) => {
  const line = await f.call(command, { a: 1 });
  return line.kind === 'problem' ? line.problem['code'] : f.text(line);
};

it('the digest is that of the canonical definition, by the upstream’s own names', async () => {
  const definition = { name: 'echo', title: 'Echo', description: 'one', input_schema: inputSchema };
  const digest = createHash('sha256')
    .update(canonicalJson(definition, 2, 'rs'))
    .digest('base64url');
  expect(await echo()).toEqual({
    ...definition,
    digest,
    upstream: 'first',
    more: { _meta: { icon: 1 } },
  });
  expect(
    listTools(f.dir, f.clock).find(({ name, upstream }) => name === 'echo' && upstream === 'first'),
  ).toEqual({
    name: 'echo',
    upstream: 'first',
    tool: 'echo',
    state: 'accepted',
    digest,
    accepted_at: Math.floor(f.nowMs / 1000),
  });
});

it('a name belongs to the tasks, then to the upstream that is listed first', async () => {
  const { tools } = await f.surface();
  const owners = (of: string) =>
    tools.filter(({ name }) => name === of).map(({ upstream }) => upstream);
  expect(owners('list_tasks')).toEqual([undefined]);
  expect(owners('echo')).toEqual(['first']);
  expect(owners('pid')).toEqual(['second']);
  expect(JSON.stringify(await f.call('list_tasks', {}))).toContain('"tasks":[');
});

it('a change stays refused over a restart, a disappearance and a return; back as it was, it is accepted', async () => {
  offer({ name: 'echo', description: 'two' });
  await changed();
  expect(await code('echo')).toBe('DefinitionChanged');
  await f.restart(config);
  await f.ready('first');
  expect(await code('echo')).toBe('DefinitionChanged');
  offer({ name: 'other' });
  await vi.waitFor(async () => expect((await echo())?.upstream).toBe('second'), 10_000);
  offer({ name: 'echo', description: 'two' });
  await changed();
  expect(await code('echo')).toBe('DefinitionChanged');
  offer({ name: 'echo', title: 'Echo', description: 'one' });
  await vi.waitFor(async () => expect((await echo())?.blocked).toBeUndefined(), 10_000);
  expect(await code('echo')).toContain('"a":1');
  const events = f.record().map(({ event }) => event);
  expect(events.filter((event) => event === 'tool.changed')).toHaveLength(1);
  expect(events.filter((event) => event === 'tool.restored')).toHaveLength(1);
});

it('arguments are checked against what was accepted', async () => {
  expect(await f.call('echo', { a: 'x' })).toMatchObject({
    problem: { code: 'MalformedRequest', path: 'args.a' },
  });
});

it('an operator sees the difference and accepts it; the running server knows at once, the surface soon', async () => {
  const { revision } = await f.surface();
  offer({ name: 'echo', title: 'Echo', description: 'three' });
  await changed();
  expect(diffTools(f.dir, f.clock, 'nothing')).toEqual([]);
  const [diff = ''] = diffTools(f.dir, f.clock, 'echo');
  expect(diff.split('\n').slice(2)).toEqual([
    ' {',
    '   "name": "echo",',
    '   "title": "Echo",',
    '-  "description": "one",',
    '+  "description": "three",',
    '   "input_schema": {',
    '     "type": "object",',
    '     "properties": {',
  ]);
  expect(await acceptTools(f.dir, f.clock, { tool: 'nothing' })).toEqual([]);
  const before = (await f.surface()).revision;
  expect(before).toBeGreaterThan(revision);
  expect(await acceptTools(f.dir, f.clock, { all: true })).toEqual(['echo']);
  expect(await code('echo')).toContain('"a":1');
  await vi.waitFor(async () => expect((await f.surface()).revision).toBeGreaterThan(before), 5000);
  expect(await echo()).toMatchObject({ description: 'three' });
  expect(await acceptTools(f.dir, f.clock, { all: true })).toEqual([]);
});

it('none of that was an error inside', () => {
  expect(f.errors).toEqual([]);
});
