import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import { FORM_ONLY, LegacyClient, NO_ELICITATION, structured } from '../support/mcp-clients.js';
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

describe('a client without URL mode', () => {
  it.each([
    ['elicitation: {} (form only)', FORM_ONLY],
    ['no elicitation', NO_ELICITATION],
  ])(
    '%s gets the link in a result it can use after listing tools, and calling again continues',
    async (_claim, capabilities) => {
      const client = await LegacyClient.http(stack, token, capabilities);
      await client.client.listTools(); // the v1 client checks results against the output schemas it has seen
      const task_id = await client.newTask('fallback');
      const answer = await client.call('delete_task', { task_id });
      expect(answer.result?.isError).toBe(true);
      const told = structured(answer);
      expect(told).toMatchObject({ status: 'approval_required', code: 'ApprovalRequired' });
      expect(told['url']).toBe(`${stack.origin}/consents/${String(told['consent_id'])}`);
      expect(told['expires_at']).toBeGreaterThan(Date.now() / 1000);
      expect(stack.taskIds()).toContain(task_id);

      await alice.approve(String(told['url']));
      expect(structured(await client.call('delete_task', { task_id }))).toEqual({
        deleted: task_id,
      });
      expect(stack.taskIds()).not.toContain(task_id);
      await client.close();
    },
  );
});

describe('when policy says hold', () => {
  it('the call waits for the person and then is the result', async () => {
    await stack.reconfigure('bridge', (configs) => (configs.bridge.fallback = 'hold'));
    const client = await LegacyClient.http(stack, token, NO_ELICITATION);
    const task_id = await client.newTask('held');
    let progress = 0;
    const call = client.client.callTool(
      { name: 'delete_task', arguments: { task_id } },
      undefined,
      {
        onprogress: () => (progress += 1),
        timeout: 30_000,
      },
    );
    const url = await pendingLink(stack, task_id);
    await alice.approve(url);
    expect((await call).structuredContent).toEqual({ deleted: task_id });
    expect(progress).toBeGreaterThan(0);
    await client.close();
  });

  it('and a client that gives up leaves the consent open for a later call', async () => {
    const client = await LegacyClient.http(stack, token, NO_ELICITATION);
    const task_id = await client.newTask('given up');
    const giveUp = new AbortController();
    const call = client.client.callTool(
      { name: 'delete_task', arguments: { task_id } },
      undefined,
      { signal: giveUp.signal },
    );
    const url = await pendingLink(stack, task_id);
    giveUp.abort();
    await expect(call).rejects.toThrow();
    await alice.approve(url);
    expect(structured(await client.call('delete_task', { task_id }))).toEqual({ deleted: task_id });
    await client.close();
  });
});

describe('when policy says refuse', () => {
  it('nobody is asked and nothing runs', async () => {
    await stack.reconfigure('bridge', (configs) => (configs.bridge.fallback = 'refuse'));
    const client = await LegacyClient.http(stack, token, NO_ELICITATION);
    const task_id = await client.newTask('refused');
    const before = (await stack.events('bridge', 'consent.raised')).length;
    expect(structured(await client.call('delete_task', { task_id }))).toMatchObject({
      status: 'refused',
      code: 'ApprovalRequired',
    });
    expect((await stack.events('bridge', 'consent.raised')).length).toBe(before);
    expect(stack.taskIds()).toContain(task_id);
    await client.close();
  });
});

/** The link of the newest consent, as the bridge's record names it once it has been raised for this task. */
async function pendingLink(of: TestStack, task_id: string): Promise<string> {
  for (;;) {
    const raised = (await of.events('bridge', 'consent.raised')).at(-1);
    if (raised !== undefined && of.messageOf(String(raised['consent'])).includes(task_id)) {
      return `${of.origin}/consents/${String(raised['consent'])}`;
    }
  }
}
