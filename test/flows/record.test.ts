import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import { LegacyClient, elicitationOf, structured } from '../support/mcp-clients.js';
import { TestStack } from '../support/test-stack.js';

let stack: TestStack;
let alice: SoftwareApprover;
let token: string;

beforeAll(async () => {
  stack = await TestStack.start();
  alice = await stack.person('alice@example.com');
  token = await stack.token('alice@example.com');
});
afterAll(() => stack.stop());

it('one approved call leaves exactly one entry for each event in each domain, and no secret in any', async () => {
  const client = await LegacyClient.http(stack, token);
  const { task } = structured(await client.call('create_task', { title: 'very secret title' })) as {
    task: { id: string };
  };
  const asked = elicitationOf(await client.call('delete_task', { task_id: task.id }));
  await client.call('delete_task', { task_id: task.id });
  await alice.approve(asked.url);
  await client.call('delete_task', { task_id: task.id });

  const of = async (domain: 'bridge' | 'consent-ui' | 'vault' | 'rs'): Promise<string[]> =>
    (await stack.record(domain))
      .filter((entry) => JSON.stringify(entry).includes(asked.id) || entry['jti'] === jti)
      .map(({ event }) => event);
  const minted = (await stack.events('bridge', 'credential.minted')).filter(
    ({ consent }) => consent === asked.id,
  );
  const jti = minted[0]?.['jti'];
  expect(await of('bridge')).toEqual([
    'consent.raised',
    'consent.decided',
    'credential.minted',
    'call.executed',
  ]);
  expect(await of('consent-ui')).toEqual([
    'consent.proposed',
    'consent.approved',
    'consent.outcome',
    'consent.outcome',
  ]);
  expect(await of('vault')).toEqual(['signature.examined', 'credential.minted']);
  expect((await of('rs')).at(-1)).toBe('execution.finished');

  for (const domain of ['bridge', 'consent-ui', 'vault', 'rs'] as const) {
    const text = JSON.stringify(await stack.record(domain));
    expect(text).not.toContain(token);
    expect(text).not.toContain('very secret title');
    expect(text).not.toContain('eyJ');
  }
  await client.close();
});

it('a refusal by a layer is one entry there, with code and layer', async () => {
  const bridge = stack.compromisedBridge();
  const caller = { subject: 'alice@example.com', client_id: 'agent', scopes: ['tasks.write'] };
  const before = (await stack.record('rs')).length;
  const answer = await bridge.execute({ command: 'delete_task', args: { task_id: 't-1' }, caller });
  expect(answer.body).toMatchObject({ code: 'ApprovalRequired', layer: 'rs' });
  const entries = (await stack.record('rs')).slice(before);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ code: 'ApprovalRequired' });
});
