/** `bridge up --config` as an operator runs it, and `bridge tools` beside it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../src/cli/package-root.js';
import { freePorts } from '../../src/cli/ports.js';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import {
  Workshop,
  allReady,
  oddServer,
  referenceServer,
  untilSurface,
} from '../support/gateway-stack.js';
import { LegacyClient, elicitationOf } from '../support/mcp-clients.js';
import { TestStack } from '../support/test-stack.js';

const ALICE = 'alice@example.com';
const BRIDGE = join(packageRoot(), 'dist', 'src', 'cli', 'main.js');
const workshop = new Workshop();
const box = workshop.folder('box');
const odd = workshop.folder('odd');
let up: ChildProcess;
let stack: TestStack;
let alice: SoftwareApprover;
let client: LegacyClient;

beforeAll(async () => {
  const file = workshop.config({
    files: { ...referenceServer('filesystem', box), tools: { read_text_file: 'open' } },
    odd: { ...oddServer(odd), tools: { mark: 'open' } },
  });
  const data = workshop.path('data');
  const { bridge } = await freePorts();
  const args = ['up', '--config', file, '--data', data, '--port-base', String(bridge)];
  up = spawn(process.execPath, [BRIDGE, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: up.stdout! }).once('line', resolve);
    up.once('exit', (code) => reject(new Error(`bridge up ended with ${code}`)));
  });
  const { token } = JSON.parse(line) as { token: string };
  stack = TestStack.attach(data);
  await allReady(stack);
  alice = await stack.person(ALICE);
  client = await LegacyClient.http(stack, token);
}, 120_000);
afterAll(async () => {
  await client.close();
  const gone = new Promise((resolve) => up.once('exit', resolve));
  up.kill('SIGTERM');
  expect(await gone).toBe(0);
  workshop.remove();
});

function bridge(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const line = [BRIDGE, ...args, '--data', stack.data];
    execFile(process.execPath, line, (error, stdout, stderr) =>
      error ? reject(new Error(stderr)) : resolve(stdout),
    );
  });
}

it('the token it prints calls open tools at once and gated ones after a signature', async () => {
  const path = join(box, 'note.txt');
  const write = { path, content: 'through bridge up' };
  const asked = elicitationOf(await client.call('files__write_file', write));
  expect(existsSync(path)).toBe(false);
  await alice.approve(asked.url);
  expect((await client.call('files__write_file', write)).result?.isError).not.toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('through bridge up');
  const { result } = await client.call('files__read_text_file', { path });
  expect(JSON.stringify(result?.content)).toContain('through bridge up');
});

it('a tool that changed is refused until `bridge tools accept`', async () => {
  const mark = async (text: string): Promise<string> =>
    JSON.stringify((await client.call('odd__mark', { text })).result);
  expect(await mark('before')).toContain('marked before');
  writeFileSync(join(odd, 'mark.txt'), 'Marks, and more.');
  await untilSurface(stack, ({ tools }) => tools.some(({ blocked }) => blocked === true));
  expect(await mark('changed')).toContain('DefinitionChanged');
  expect(await bridge('tools', 'diff', 'odd__mark')).toContain('and more');
  await bridge('tools', 'accept', 'odd__mark');
  await vi.waitFor(async () => expect(await mark('after')).toContain('marked after'), 10_000);
  expect(readFileSync(join(odd, 'marks.log'), 'utf8')).toBe('before\nafter\n');
});
