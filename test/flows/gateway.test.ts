/** The reference servers as they are published, behind the gateway: what is open, gated and denied, told by their own files. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import type { TestStack } from '../support/test-stack.js';
import { Workshop, oddServer, referenceServer, startGateway } from '../support/gateway-stack.js';
import { LegacyClient, elicitationOf } from '../support/mcp-clients.js';

const ALICE = 'alice@example.com';
const workshop = new Workshop();
const box = workshop.folder('box');
const memoryFile = workshop.path('memory.json');
let stack: TestStack;
let alice: SoftwareApprover;
let client: LegacyClient;

beforeAll(async () => {
  writeFileSync(workshop.path('box', 'a.txt'), 'what was there');
  const file = workshop.config({
    files: {
      ...referenceServer('filesystem', box),
      tools: { read_text_file: 'open', 'list_*': 'open', move_file: 'denied' },
    },
    everything: {
      ...referenceServer('everything', 'stdio'),
      tools: {
        echo: 'open',
        'get-structured-content': 'open',
        'get-sum': { mode: 'gated', message: 'Add {a} and {b}' },
        'get-env': 'denied',
      },
      resources: 'denied',
      prompts: 'open',
    },
    memory: {
      ...referenceServer('memory'),
      env: { MEMORY_FILE_PATH: memoryFile },
      tools: { read_graph: 'open', create_entities: 'gated', 'delete_*': 'denied' },
    },
    odd: { ...oddServer(workshop.folder('odd')), resources: 'gated' },
  });
  stack = await startGateway(file);
  alice = await stack.person(ALICE);
  client = await LegacyClient.fresh(stack, ALICE);
});
afterAll(async () => {
  await client.close();
  await stack.stop();
  workshop.remove();
});

/** The text blocks of a call that must succeed at once. */
async function textOf(name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { result } = await client.call(name, args);
  expect(result?.isError).not.toBe(true);
  return (result?.content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
}

async function toolNames(): Promise<string[]> {
  return (await client.client.listTools()).tools.map(({ name }) => name);
}

describe('server-filesystem', () => {
  it('an open tool reads at once', async () => {
    const path = workshop.path('box', 'a.txt');
    expect(await textOf('files__read_text_file', { path })).toBe('what was there');
  });

  it('a gated write is on the disk after the signature, not before, and only once', async () => {
    const path = workshop.path('box', 'b.txt');
    const write = { path, content: 'signed' };
    const asked = elicitationOf(await client.call('files__write_file', write));
    expect(asked).toMatchObject({ code: -32_042, count: 1 });
    elicitationOf(await client.call('files__write_file', write));
    expect(existsSync(path)).toBe(false);

    expect(await alice.approve(asked.url)).toMatchObject({ kind: 'done' });
    expect(existsSync(path)).toBe(false);
    expect(await textOf('files__write_file', write)).toContain('Successfully wrote');
    expect(readFileSync(path, 'utf8')).toBe('signed');

    writeFileSync(path, 'changed since');
    const again = elicitationOf(await client.call('files__write_file', write));
    expect(again.id).not.toBe(asked.id);
    expect(readFileSync(path, 'utf8')).toBe('changed since');
  });

  it('the credential of a write that ran is refused when a taken-over bridge presents it again', async () => {
    const path = workshop.path('box', 'c.txt');
    const bridge = stack.compromisedBridge();
    const caller = { subject: ALICE, client_id: 'agent', scopes: [] };
    const args = { path, content: 'once' };
    const payload = bridge.payload(caller, 'files__write_file', args);
    await alice.approve(await bridge.propose(payload));
    const signed = await bridge.signed(payload.nonce);
    const credential = await bridge.credential(signed);
    const execution = { command: 'files__write_file', args, caller, signed, credential };
    expect(await bridge.execute(execution)).toMatchObject({ body: { status: 'success' } });
    expect(readFileSync(path, 'utf8')).toBe('once');
    writeFileSync(path, 'changed since');
    expect(await bridge.execute(execution)).toMatchObject({
      status: 409,
      body: { code: 'CredentialReplay', layer: 'rs' },
    });
    expect(readFileSync(path, 'utf8')).toBe('changed since');
  });

  it('a denied tool is not listed, is no tool to call, and the resource server itself refuses it', async () => {
    const [source, destination] = [workshop.path('box', 'a.txt'), workshop.path('box', 'moved')];
    const args = { source, destination };
    expect(await toolNames()).not.toContain('files__move_file');
    await expect(client.call('files__move_file', args)).rejects.toMatchObject({ code: -32_602 });
    const caller = { subject: ALICE, client_id: 'agent', scopes: [] };
    const answer = await stack
      .compromisedBridge()
      .execute({ command: 'files__move_file', args, caller });
    expect(answer).toMatchObject({ status: 403, body: { code: 'ToolDenied', layer: 'rs' } });
    expect([existsSync(source), existsSync(destination)]).toEqual([true, false]);
  });

  it('what no line names is gated, and a declined call leaves no trace', async () => {
    const path = workshop.path('box', 'folder');
    const asked = elicitationOf(await client.call('files__create_directory', { path }));
    expect(await alice.decline(asked.url, 'no folders')).toMatchObject({ kind: 'done' });
    const { result } = await client.call('files__create_directory', { path });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { status: 'declined', by: 'approver', reason: 'no folders' },
    });
    expect(existsSync(path)).toBe(false);
  });

  it('the server’s own refusal after a signature arrives as it said it', async () => {
    const write = { path: '/etc/consent-bridge-test', content: 'x' };
    const asked = elicitationOf(await client.call('files__write_file', write));
    await alice.approve(asked.url);
    const { result } = await client.call('files__write_file', write);
    expect(result?.isError).toBe(true);
    expect(JSON.stringify(result?.content)).toContain('Access denied');
    expect(existsSync(write.path)).toBe(false);
  });
});

describe('server-everything', () => {
  it('an open tool answers at once, with its own structured content', async () => {
    expect(await textOf('everything__echo', { message: 'hello' })).toContain('hello');
    const { result } = await client.call('everything__get-structured-content', {
      location: 'Chicago',
    });
    expect(result?.structuredContent).toMatchObject({ conditions: expect.any(String) });
  });

  it('a gated tool runs once, after a signature under the sentence of the configuration', async () => {
    const asked = elicitationOf(await client.call('everything__get-sum', { a: 20, b: 22 }));
    expect(asked.message).toBe('Add 20 and 22');
    await alice.approve(asked.url);
    expect(await textOf('everything__get-sum', { a: 20, b: 22 })).toContain('42');
    const executed = await stack.events('bridge', 'call.executed');
    expect(executed.filter(({ consent }) => consent === asked.id)).toHaveLength(1);
    const again = elicitationOf(await client.call('everything__get-sum', { a: 20, b: 22 }));
    expect(again.id).not.toBe(asked.id);
  });

  it('arguments the tool could not take are refused before anybody is asked', async () => {
    const { result } = await client.call('everything__get-sum', { a: 'twenty', b: 22 });
    expect(result?.structuredContent).toMatchObject({
      code: 'MalformedRequest',
      layer: 'dispatcher',
    });
  });

  it('denied tools and resources are not listed, open prompts are, and can be got', async () => {
    expect(await toolNames()).not.toContain('everything__get-env');
    await expect(client.call('everything__get-env')).rejects.toMatchObject({ code: -32_602 });
    const { resources } = await client.client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('demo:'))).toEqual([]);
    const { prompts } = await client.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('everything__args-prompt');
    const { messages } = await client.client.getPrompt({
      name: 'everything__args-prompt',
      arguments: { city: 'Utrecht' },
    });
    expect(JSON.stringify(messages)).toContain('Utrecht');
  });

  it('completes the arguments of a prompt', async () => {
    const { completion } = await client.client.complete({
      ref: { type: 'ref/prompt', name: 'everything__completable-prompt' },
      argument: { name: 'department', value: 'E' },
    });
    expect(completion.values).toEqual(['Engineering']);
  });
});

describe('server-memory', () => {
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote a program'] }];

  it('a gated change is in its file after the signature, not before, and only once', async () => {
    const asked = elicitationOf(await client.call('memory__create_entities', { entities }));
    expect(existsSync(memoryFile)).toBe(false);
    await alice.approve(asked.url);
    expect(existsSync(memoryFile)).toBe(false);
    await textOf('memory__create_entities', { entities });
    expect(readFileSync(memoryFile, 'utf8').match(/"Ada"/g)).toHaveLength(1);
    const kept = readFileSync(memoryFile, 'utf8');
    elicitationOf(await client.call('memory__create_entities', { entities }));
    expect(readFileSync(memoryFile, 'utf8')).toBe(kept);
  });

  it('an open tool reads what was written', async () => {
    expect(await textOf('memory__read_graph')).toContain('Ada');
  });

  it('denied tools are not listed and delete nothing', async () => {
    expect((await toolNames()).filter((name) => name.startsWith('memory__delete'))).toEqual([]);
    const args = { entityNames: ['Ada'] };
    await expect(client.call('memory__delete_entities', args)).rejects.toMatchObject({
      code: -32_602,
    });
    expect(readFileSync(memoryFile, 'utf8')).toContain('Ada');
  });
});

describe('a gated resource', () => {
  it('is listed; reading it asks a person with -32042, and is answered once', async () => {
    const reads = workshop.path('odd', 'reads.log');
    const uri = 'odd://secret';
    const { resources } = await client.client.listResources();
    expect(resources).toContainEqual({ uri, name: 'secret' });
    const link = await linkOf(client.client.readResource({ uri }));
    expect(existsSync(reads)).toBe(false);
    await alice.approve(link);
    const { contents } = await client.client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: 'text/plain', text: 'the secret' }]);
    expect(readFileSync(reads, 'utf8')).toBe(`${uri}\n`);
    expect(await linkOf(client.client.readResource({ uri }))).not.toBe(link);
    expect(readFileSync(reads, 'utf8')).toBe(`${uri}\n`);
  });

  it('cannot be watched without asking', async () => {
    const watching = client.client.subscribeResource({ uri: 'odd://secret' });
    await expect(watching).rejects.toMatchObject({ code: -32_003 });
  });

  async function linkOf(read: Promise<unknown>): Promise<string> {
    const error = await read.then(
      () => undefined,
      (thrown: unknown) => thrown as { code: number; elicitations: { url: string }[] },
    );
    expect(error?.code).toBe(-32_042);
    return error?.elicitations[0]?.url ?? '';
  }
});
