/** Clients as they are published, each with a gated call through the gateway, from the question to the written file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client as ModernSdkClient,
  StreamableHTTPClientTransport as ModernSdkHttp,
} from '@modelcontextprotocol/client';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import { Workshop, referenceServer, startGateway } from '../support/gateway-stack.js';
import { installed } from '../support/installed.mjs';
import { LegacyClient, elicitationOf, modernClient } from '../support/mcp-clients.js';
import { node22 } from '../support/node22.mjs';
import type { TestStack } from '../support/test-stack.js';

const ALICE = 'alice@example.com';
const INSPECTOR = '2.12.0';
const workshop = new Workshop();
const box = workshop.folder('box');
let stack: TestStack;
let alice: SoftwareApprover;

beforeAll(async () => {
  const tools = { read_text_file: 'open', write_file: 'gated' };
  const files = { ...referenceServer('filesystem', box), tools };
  stack = await startGateway(workshop.config({ files }));
  alice = await stack.person(ALICE);
});
afterAll(async () => {
  await stack.stop();
  workshop.remove();
});

function written(name: string): string | undefined {
  const path = join(box, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

describe('the v1 SDK client', () => {
  it('over HTTP opens the link and repeats the call', async () => {
    const client = await LegacyClient.fresh(stack, ALICE);
    const write = { path: join(box, 'v1.txt'), content: 'by v1' };
    const asked = elicitationOf(await client.call('files__write_file', write));
    expect(written('v1.txt')).toBeUndefined();
    await alice.approve(asked.url);
    expect((await client.call('files__write_file', write)).result?.isError).not.toBe(true);
    expect(written('v1.txt')).toBe('by v1');
    await client.close();
  });

  it('over stdio as well', async () => {
    const client = await LegacyClient.stdio(stack, await stack.token(ALICE, { clientId: 'stdio' }));
    const write = { path: join(box, 'stdio.txt'), content: 'over stdio' };
    const asked = elicitationOf(await client.call('files__write_file', write));
    expect(written('stdio.txt')).toBeUndefined();
    await alice.approve(asked.url);
    expect((await client.call('files__write_file', write)).result?.isError).not.toBe(true);
    expect(written('stdio.txt')).toBe('over stdio');
    await client.close();
  });
});

describe('the v2 SDK client', () => {
  it('on 2026-07-28 completes the call by itself once the person has signed', async () => {
    const before: (string | undefined)[] = [];
    const token = await stack.token(ALICE, { clientId: 'v2-modern' });
    const client = await modernClient(stack, token, async (url) => {
      before.push(written('v2-modern.txt'));
      await alice.approve(url);
      return { action: 'accept' };
    });
    const write = { path: join(box, 'v2-modern.txt'), content: 'by v2' };
    const result = await client.callTool({ name: 'files__write_file', arguments: write });
    expect(result.isError).not.toBe(true);
    expect(before).toEqual([undefined]);
    expect(written('v2-modern.txt')).toBe('by v2');
    await client.close();
  });

  it('on 2025-11-25 gets the link as an error and repeats the call', async () => {
    const token = await stack.token(ALICE, { clientId: 'v2-legacy' });
    const client = new ModernSdkClient(
      { name: 'v2-legacy', version: '1.0.0' },
      { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: 'legacy' } },
    );
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new ModernSdkHttp(new URL(stack.mcpUrl), { requestInit: { headers } }));
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    const write = { path: join(box, 'v2-legacy.txt'), content: 'by v2, 2025' };
    const call = (): Promise<unknown> =>
      client.callTool({ name: 'files__write_file', arguments: write });
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32_042 });
    expect(written('v2-legacy.txt')).toBeUndefined();
    await alice.approve((error as { elicitations: { url: string }[] }).elicitations[0]!.url);
    await call();
    expect(written('v2-legacy.txt')).toBe('by v2, 2025');
    await client.close();
  });
});

describe(`the MCP Inspector’s command line ${INSPECTOR}`, () => {
  let node: string;
  let program: string;

  beforeAll(async () => {
    node = await node22();
    const inspector = await installed('@modelcontextprotocol/inspector', INSPECTOR);
    program = join(inspector, 'clients', 'launcher', 'build', 'index.js');
  }, 300_000);

  it.each(['legacy', 'modern'])(
    'on the %s era lists the tools, is shown the link, and its repeat writes the file',
    async (era) => {
      const token = await stack.token(ALICE, { clientId: `inspector-${era}` });
      const run = (...args: string[]): Promise<string> =>
        inspect(['--protocol-era', era, ...args], token);
      expect(await run('--method', 'tools/list')).toContain('files__write_file');
      const args = { path: join(box, `${era}.txt`), content: `by the Inspector, ${era}` };
      const call = ['--method', 'tools/call', '--tool-name', 'files__write_file'];
      const asked = await run(...call, '--tool-args-json', JSON.stringify(args));
      const link = /http:\/\/localhost:\d+\/consents\/[\w-]+/.exec(asked)?.[0];
      expect(link, asked).toBeDefined();
      expect(written(`${era}.txt`)).toBeUndefined();
      await alice.approve(link ?? '');
      const done = await run(...call, '--tool-args-json', JSON.stringify(args));
      expect(done).toContain('Successfully wrote');
      expect(written(`${era}.txt`)).toBe(args.content);
    },
  );

  /** Everything it printed, whatever its exit code. */
  function inspect(args: readonly string[], token: string): Promise<string> {
    const server = ['--transport', 'http', '--server-url', stack.mcpUrl];
    const header = ['--header', `Authorization: Bearer ${token}`];
    return new Promise((resolve) => {
      execFile(
        node,
        [program, '--cli', ...server, ...header, ...args],
        // Its catalogue and its sign-ins stay in our directory.
        { env: { ...process.env, HOME: workshop.folder('home') }, timeout: 60_000 },
        (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`),
      );
    });
  }
});
