/** The library as the README shows it: a server of one's own, whose tool needs a signature. */
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/cli/data-directory.js';
import { runDomain } from '../../src/cli/domain-command.js';
import { inviteApprover } from '../../src/cli/operator.js';
import { freePorts } from '../../src/cli/ports.js';
import { SoftwareApprover } from '../../src/cli/software-approver.js';

const ALICE = 'alice@example.com';
const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** In the package, not under node_modules: there `consent-bridge` means this one, as where it is installed. */
const scratch = join(root, 'dist/.protect-test');

/** The README's example, on free ports. */
function example(portBase: number): string {
  const [, code = ''] = /<!-- protect -->\s*```js\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(code).toContain("data: './consent',");
  return code.replace("data: './consent',", `data: './consent', portBase: ${portBase},`);
}

/** The same server on the 1.x line of the SDK. */
function onV1(code: string): string {
  return code
    .replace("'@modelcontextprotocol/server'", "'@modelcontextprotocol/sdk/server/mcp.js'")
    .replace("'@modelcontextprotocol/server/stdio'", "'@modelcontextprotocol/sdk/server/stdio.js'")
    .replace(
      'z.object({ customer: z.string(), amount: z.number() })',
      '{ customer: z.string(), amount: z.number() }',
    );
}

describe.each([
  ['2.x', (code: string) => code],
  ['1.x', onV1],
])('a server of SDK %s', (line, variant) => {
  const home = mkdtempSync(join(tmpdir(), 'consent-bridge-protect-'));
  const script = join(scratch, `server-${line}-${process.pid}.mjs`);
  const data = join(home, 'consent');
  const server = { command: process.execPath, args: [script], cwd: home };
  const capabilities = { elicitation: { url: {} } };
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const args = { customer: 'Zoë', amount: 12.5 };
  let alice: SoftwareApprover;

  beforeAll(async () => {
    mkdirSync(scratch, { recursive: true });
    writeFileSync(script, variant(example((await freePorts()).bridge)));
    await client.connect(new StdioClientTransport({ ...server, stderr: 'inherit' }));
    alice = new SoftwareApprover(readConfig(data, 'consent-ui').origin);
    await alice.enrol((await inviteApprover(data, ALICE)).link);
  });
  afterAll(async () => {
    await client.close();
    rmSync(script, { force: true });
    rmSync(home, { recursive: true, force: true });
  });

  const refunds = (): string =>
    existsSync(join(home, 'refunds.log')) ? readFileSync(join(home, 'refunds.log'), 'utf8') : '';
  const refund = (given: object = args) =>
    client.callTool({ name: 'refund', arguments: given as Record<string, unknown> });
  const linkOf = async (given?: object): Promise<string> => {
    const error: unknown = await refund(given).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof UrlElicitationRequiredError)) throw new Error('nobody was asked');
    return error.elicitations[0]?.url ?? '';
  };

  it('asks, runs exactly what was signed, and runs it once', async () => {
    const link = await linkOf();
    expect(await linkOf()).toBe(link);
    expect(refunds()).toBe('');
    expect(await alice.approve(link)).toMatchObject({ kind: 'done' });
    expect(refunds()).toBe('');
    expect(await refund()).toMatchObject({ content: [{ text: 'refunded' }] });
    expect(refunds()).toBe('Zoë 12.5\n');
    expect(await linkOf()).not.toBe(link);
    expect(refunds()).toBe('Zoë 12.5\n');
  });

  it('a signature for one call is none for another', async () => {
    await alice.approve(await linkOf({ ...args, amount: 1 }));
    await linkOf({ ...args, amount: 1000 });
    expect(refunds()).not.toContain('1000');
  });

  it('declined is declined, and nothing ran', async () => {
    const given = { ...args, amount: 7 };
    await alice.decline(await linkOf(given), 'not this one');
    const answer = await refund(given);
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({ status: 'declined', reason: 'not this one' });
    expect(refunds()).not.toContain(' 7\n');
  });

  it('a client without URL mode gets the link in a result it can use', async () => {
    const plain = new Client({ name: 'plain', version: '1' });
    const second = mkdtempSync(join(tmpdir(), 'consent-bridge-protect-'));
    const file = join(scratch, `plain-${line}-${process.pid}.mjs`);
    writeFileSync(file, variant(example((await freePorts()).bridge)));
    try {
      await plain.connect(new StdioClientTransport({ ...server, args: [file], cwd: second }));
      const answer = await plain.callTool({ name: 'refund', arguments: args });
      expect(answer.isError).toBe(true);
      expect(answer.structuredContent).toMatchObject({ status: 'approval_required' });
    } finally {
      await plain.close();
      rmSync(file, { force: true });
      rmSync(second, { recursive: true, force: true });
    }
  });

  it('each domain wrote down its part', async () => {
    const events = (await runDomain(data, 'rs', ['record', '--json']))
      .split('\n')
      .filter((entry) => entry !== '')
      .map((entry) => (JSON.parse(entry) as { event: string }).event);
    expect(events.filter((event) => event === 'execution.finished')).toHaveLength(1);
  });
});

it('the v2 client completes a gated call by itself', async () => {
  const home = mkdtempSync(join(tmpdir(), 'consent-bridge-protect-'));
  const script = join(scratch, `modern-${process.pid}.mjs`);
  mkdirSync(scratch, { recursive: true });
  writeFileSync(script, example((await freePorts()).bridge));
  const data = join(home, 'consent');
  const client = new ModernClient(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { url: {} } } },
  );
  try {
    await client.connect(new ModernStdio({ command: process.execPath, args: [script], cwd: home }));
    const alice = new SoftwareApprover(readConfig(data, 'consent-ui').origin);
    await alice.enrol((await inviteApprover(data, ALICE)).link);
    const call = { name: 'refund', arguments: { customer: 'a', amount: 1 } };
    const error: unknown = await client.callTool(call).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const { elicitations } = (error as { data: { elicitations: { url: string }[] } }).data;
    await alice.approve(elicitations[0]?.url ?? '');
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'refunded' }] });
  } finally {
    await client.close();
    rmSync(script, { force: true });
    rmSync(home, { recursive: true, force: true });
  }
});
