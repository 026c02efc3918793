/** Two clients of one caller's person at once: what an upstream says and asks reaches the one it is about. */
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it, vi } from 'vitest';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import { FullClient } from '../support/full-client.js';
import { Workshop, oddServer, referenceServer, startGateway } from '../support/gateway-stack.js';
import { LegacyClient, NO_ELICITATION } from '../support/mcp-clients.js';
import type { TestStack } from '../support/test-stack.js';

const ALICE = 'alice@example.com';
const workshop = new Workshop();
let stack: TestStack;
let alice: SoftwareApprover;
let one: FullClient;
let two: FullClient;

beforeAll(async () => {
  const file = workshop.config({
    everything: {
      ...referenceServer('everything', 'stdio'),
      prefix: 'all-',
      list_with: ['sampling', 'elicitation', 'roots'],
      tools: { '*': 'open', 'get-sum': 'gated' },
      resources: 'open',
      prompts: 'open',
    },
    odd: { ...oddServer(workshop.folder('odd')), tools: { slow: 'gated', slow_open: 'open' } },
  });
  stack = await startGateway(file);
  alice = await stack.person(ALICE);
});
afterAll(async () => {
  await stack.stop();
  workshop.remove();
});
beforeEach(async ({ task }) => {
  one = await FullClient.connect(stack, ALICE, `one-${task.id}`);
  two = await FullClient.connect(stack, ALICE, `two-${task.id}`);
});
afterEach(() => Promise.all([one.close(), two.close()]));

describe('an upstream asks the client whose call it serves:', () => {
  it('for a sample', async () => {
    const args = { prompt: 'who are you?', maxTokens: 5 };
    const texts = await Promise.all([
      one.text('all-trigger-sampling-request', args),
      two.text('all-trigger-sampling-request', args),
    ]);
    expect(texts[0]).toContain(`I am ${one.name}`);
    expect(texts[1]).toContain(`I am ${two.name}`);
    expect([one.asked, two.asked].map((asked) => asked.filter((a) => a === 'sampling'))).toEqual([
      ['sampling'],
      ['sampling'],
    ]);
  });

  it('for a form', async () => {
    expect(await one.text('all-trigger-elicitation-request')).toContain(`Name: ${one.name}`);
    expect(two.asked).not.toContain('elicitation');
    expect(await two.text('all-trigger-elicitation-request')).toContain(`Name: ${two.name}`);
  });

  it('for its roots', async () => {
    expect(await two.text('all-get-roots-list')).toContain(`/home/${two.name}`);
    expect(await one.text('all-get-roots-list')).toContain(`/home/${one.name}`);
    expect(await one.text('all-get-roots-list')).not.toContain(`/home/${two.name}`);
  });

  it('and of a client that can answer nothing it learns so', async () => {
    const mute = await LegacyClient.fresh(stack, ALICE, NO_ELICITATION);
    const { result } = await mute.call('all-trigger-sampling-request', {
      prompt: 'x',
      maxTokens: 5,
    });
    expect(result?.isError).toBe(true);
    expect(JSON.stringify(result?.content)).toContain('not found');
    expect([one.asked, two.asked].flat()).not.toContain('sampling');
    await mute.close();
  });
});

describe('progress', () => {
  it('of two calls at once reaches each caller, in order', async () => {
    await Promise.all([
      one.text('all-trigger-long-running-operation', { duration: 0.4, steps: 4 }),
      two.text('all-trigger-long-running-operation', { duration: 0.4, steps: 2 }),
    ]);
    expect(one.progress.map(({ progress }) => progress)).toEqual([1, 2, 3, 4]);
    expect(two.progress.map(({ progress }) => progress)).toEqual([1, 2]);
  });
});

describe('log messages', () => {
  it('reach the client that asked for them, outside its calls too', async () => {
    await one.client.setLoggingLevel('debug');
    await one.text('all-toggle-simulated-logging');
    // The first comes with the call, the next one belongs to none.
    await vi.waitFor(() => expect(one.logs.length).toBeGreaterThan(1), { timeout: 20_000 });
    expect(two.logs).toEqual([]);
  }, 30_000);
});

describe('a watched resource', () => {
  it('is told of to whoever watches it, and to nobody else', async () => {
    const { resources } = await one.client.listResources();
    const [first, second] = [resources[0]!.uri, resources[1]!.uri];
    await one.client.subscribeResource({ uri: first });
    await two.client.subscribeResource({ uri: second });
    await one.text('all-toggle-subscriber-updates');
    await two.text('all-toggle-subscriber-updates');
    await vi.waitFor(() => expect(one.updated.length * two.updated.length).toBeGreaterThan(0), {
      timeout: 20_000,
    });
    expect(new Set(one.updated)).toEqual(new Set([first]));
    expect(new Set(two.updated)).toEqual(new Set([second]));
  }, 30_000);
});

describe('cancelling', () => {
  const lines = (name: string): string[] => {
    const file = workshop.path('odd', name);
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };

  it('an open call ends it upstream, and nobody else’s', async () => {
    const giveUp = new AbortController();
    const cancelled = one.text('odd__slow_open', { text: 'first' }, { signal: giveUp.signal });
    const going = two.text('odd__slow_open', { text: 'second' });
    await vi.waitFor(() => expect(lines('begun.log').sort()).toEqual(['first', 'second']), 20_000);
    giveUp.abort('no longer wanted');
    await expect(cancelled).rejects.toThrow();
    await vi.waitFor(() => expect(lines('cancelled.log')).toEqual(['first']), 20_000);
    writeFileSync(workshop.path('odd', 'go'), '');
    expect(await going).toBe('marked second');
    expect(lines('marks.log')).toEqual(['second']);
  });

  it('a signed call does not undo it: it runs once and its outcome is told to the repeat', async () => {
    rmSync(workshop.path('odd', 'go'), { force: true });
    const args = { text: 'signed' };
    const asked: unknown = await one.text('odd__slow', args).catch((error: unknown) => error);
    const link = (asked as { elicitations: { url: string }[] }).elicitations[0]!.url;
    await alice.approve(link);
    const giveUp = new AbortController();
    const run = one.text('odd__slow', args, { signal: giveUp.signal });
    await vi.waitFor(() => expect(lines('begun.log')).toContain('signed'), 20_000);
    giveUp.abort('no longer wanted');
    await expect(run).rejects.toThrow();
    // What was sent before it has arrived, the cancellation too.
    await one.client.ping();
    writeFileSync(workshop.path('odd', 'go'), '');
    expect(await one.text('odd__slow', args)).toBe('marked signed');
    expect(lines('marks.log').filter((line) => line === 'signed')).toHaveLength(1);
    expect(lines('cancelled.log')).not.toContain('signed');
    expect(lines('begun.log').filter((line) => line === 'signed')).toHaveLength(1);
  });
});

describe('a session that its client ended', () => {
  it('is over, and nobody else’s is', async () => {
    const transport = one.client.transport as StreamableHTTPClientTransport;
    const { sessionId } = transport;
    await transport.terminateSession();
    const token = await stack.token(ALICE, { clientId: one.name });
    const answer = await fetch(stack.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': sessionId ?? '',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'late', method: 'tools/list' }),
    });
    expect(answer.status).toBe(404);
    expect(await two.text('all-echo', { message: 'still here' })).toContain('still here');
  });
});
