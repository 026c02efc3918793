import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompromisedBridge } from '../../src/cli/compromised-bridge.js';
import type { JsonObject } from '../../src/contract/json.js';
import type { Decision } from '../../src/contract/wire.js';
import { LegacyClient, elicitationOf, structured } from '../support/mcp-clients.js';
import { PersonInBrowser, launchChromium } from './person-in-browser.js';
import { TestStack } from '../support/test-stack.js';

const ALICE = 'alice@example.com';
const caller = { subject: ALICE, client_id: 'agent', scopes: ['tasks.read', 'tasks.write'] };

let stack: TestStack;
let browser: Browser;
let alice: PersonInBrowser;
let bridge: CompromisedBridge;

beforeAll(async () => {
  stack = await TestStack.start();
  bridge = stack.compromisedBridge();
  browser = await launchChromium();
  alice = await PersonInBrowser.open(browser);
  await alice.enrol(stack, ALICE);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

/** A proposal of anything, straight to the page, as the bridge would make it. */
async function proposed(
  args: JsonObject,
  more: { ttl?: number; message?: string } = {},
): Promise<{ url: string; id: string }> {
  const payload = bridge.payload(caller, 'delete_task', args, more.ttl);
  const url = await bridge.propose({
    ...payload,
    binding_message: more.message ?? payload.binding_message,
  });
  return { url, id: payload.nonce };
}

async function decisionOf(id: string): Promise<Decision['status']> {
  const events = (await stack.record('consent-ui'))
    .filter((entry) => JSON.stringify(entry).includes(id))
    .map(({ event }) => event)
    .filter((event) => event.startsWith('consent.') && event !== 'consent.outcome');
  const last = events.at(-1)?.replace('consent.', '');
  return (last === 'proposed' ? 'pending' : last) as Decision['status'];
}

describe('a person with a passkey', () => {
  it('reads, signs on a click, and the page says what happened', async () => {
    const client = await LegacyClient.fresh(stack, ALICE);
    const [target, bystander] = [await client.newTask('target'), await client.newTask('bystander')];
    const asked = elicitationOf(await client.call('delete_task', { task_id: target }));
    await alice.visit(asked.url);
    expect(await alice.page.textContent('#binding-message')).toBe(`Delete task ${target}`);
    expect(await alice.page.textContent('#args')).toContain(target);
    expect(await alice.page.textContent('#facts')).toContain('agent-');
    await alice.page.click('#approve');
    await alice.told(/You approved/);
    expect(structured(await client.call('delete_task', { task_id: target }))).toEqual({
      deleted: target,
    });
    await alice.told(/Done/);
    expect(stack.taskIds()).not.toContain(target);
    expect(stack.taskIds()).toContain(bystander);
    await client.close();
  });

  it('declines with a reason, which reaches the agent', async () => {
    const client = await LegacyClient.fresh(stack, ALICE);
    const task_id = await client.newTask('to keep');
    await alice.visit(elicitationOf(await client.call('delete_task', { task_id })).url);
    await alice.page.click('#decline');
    await alice.page.fill('#decline-reason', 'still needed');
    await alice.page.click('#confirm-decline');
    await alice.told(/You declined/);
    expect(structured(await client.call('delete_task', { task_id }))).toMatchObject({
      status: 'declined',
      by: 'approver',
      reason: 'still needed',
    });
    expect(stack.taskIds()).toContain(task_id);
    await client.close();
  });

  it('who fails user verification signs nothing, and can try again', async () => {
    const { url, id } = await proposed({ task_id: 't-1' });
    await alice.visit(url);
    await alice.verifies(false);
    await alice.page.click('#approve');
    await alice.page.waitForSelector('#status .bad');
    expect(await decisionOf(id)).toBe('pending');
    await alice.verifies(true);
    await alice.page.click('#approve');
    await alice.told(/You approved/);
    expect(await decisionOf(id)).toBe('approved');
  });

  it('signs once however often the button is pressed', async () => {
    const { url, id } = await proposed({ task_id: 't-1' });
    await alice.visit(url);
    await alice.page.dblclick('#approve');
    await alice.told(/You approved/);
    const approvals = (await stack.events('consent-ui', 'consent.approved')).filter((entry) =>
      JSON.stringify(entry).includes(id),
    );
    expect(approvals).toHaveLength(1);
  });

  it('never finds the ceremony started without a click', async () => {
    const { url, id } = await proposed({ task_id: 't-1' });
    await alice.page.addInitScript(() => {
      const get = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = (options) => {
        document.documentElement.dataset['ceremony'] = 'started';
        return get(options);
      };
    });
    await alice.visit(url);
    await alice.page.waitForSelector('#approve:enabled');
    expect(
      await alice.page.evaluate(() => document.documentElement.dataset['ceremony']),
    ).toBeUndefined();
    expect(await decisionOf(id)).toBe('pending');
    await alice.page.click('#approve');
    await alice.told(/You approved/);
    expect(await alice.page.evaluate(() => document.documentElement.dataset['ceremony'])).toBe(
      'started',
    );
  });
});

describe('time and tabs', () => {
  it('a request that expires while it is read can no longer be approved, and says so', async () => {
    const { url, id } = await proposed({ task_id: 't-1' }, { ttl: 3 });
    await alice.visit(url);
    await alice.told(/Time ran out/);
    expect(await alice.page.isVisible('#approve')).toBe(false);
    expect(await decisionOf(id)).not.toBe('approved');
  });

  it('a second tab shows what the first decided', async () => {
    const { url } = await proposed({ task_id: 't-1' });
    const second = await alice.context.newPage();
    await alice.visit(url);
    await alice.visit(url, second);
    await alice.page.click('#approve');
    await alice.told(/You approved/);
    await alice.told(/You approved/, second);
    expect(await second.isVisible('#approve')).toBe(false);
    await second.close();
  });

  it('the back button shows the final state, not the old question', async () => {
    const { url } = await proposed({ task_id: 't-1' });
    await alice.visit(url);
    await alice.page.click('#approve');
    await alice.told(/You approved/);
    await alice.page.goto(`${stack.origin}/`);
    await alice.page.goBack();
    await alice.told(/You approved/);
    expect(await alice.page.isVisible('#approve')).toBe(false);
  });

  it('a signature made while offline is kept and can be sent again', async () => {
    const { url, id } = await proposed({ task_id: 't-1' });
    await alice.visit(url);
    await alice.context.setOffline(true);
    await alice.page.click('#approve');
    await alice.page.waitForSelector('#retry:visible');
    expect(await decisionOf(id)).toBe('pending');
    await alice.context.setOffline(false);
    await alice.page.click('#retry');
    await alice.told(/You approved/);
    expect(await decisionOf(id)).toBe('approved');
  });
});

describe('who may see it', () => {
  it('another signed-in approver gets 403 and no details', async () => {
    const { url, id } = await proposed({ task_id: 't-secret' });
    const mallory = await PersonInBrowser.open(browser);
    await mallory.enrol(stack, 'mallory@example.com');
    await mallory.page.goto(url);
    const answer = mallory.page.waitForResponse((r) => r.url() === url && r.status() !== 302);
    await mallory.page.click('#sign-in');
    const response = await answer;
    expect(response.status()).toBe(403);
    expect(await response.text()).not.toContain('t-secret');
    expect(await decisionOf(id)).toBe('pending');
    await mallory.close();
  });

  it('a frame never shows it', async () => {
    const { url } = await proposed({ task_id: 't-1' });
    const evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<iframe id="f" src="${url}"></iframe>`);
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    const page = await alice.context.newPage();
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    const frame = await (await page.waitForSelector('#f')).contentFrame();
    expect(await frame?.locator('#approve').count()).toBe(0);
    await page.close();
    evil.close();
  });
});

describe('what is shown is what is signed', () => {
  it('a 10 kB argument whose dangerous part is last can be read in full on a phone', async () => {
    const text = `${'harmless '.repeat(1200)}AND DELETE EVERYTHING`;
    const { url, id } = await proposed({ task_id: text, line: 'x'.repeat(5000) });
    const phone = await PersonInBrowser.open(browser, {
      viewport: { width: 360, height: 740 },
      isMobile: true,
      colorScheme: 'dark',
    });
    await phone.enrol(stack, ALICE);
    await phone.visit(url);
    expect(await phone.page.textContent('#args')).toContain('AND DELETE EVERYTHING');
    const layout = await phone.page.evaluate(() => {
      const args = document.querySelector('#args')!;
      const hidden = [...args.querySelectorAll('*'), args].filter(
        (e) => e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY === 'hidden',
      );
      return {
        hidden: hidden.length,
        sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      };
    });
    expect(layout).toEqual({ hidden: 0, sideways: 0 });
    await phone.page.click('#approve');
    await phone.told(/You approved/);
    expect(await decisionOf(id)).toBe('approved');
    await phone.close();
  });

  it('hostile text is visible, escaped, and signed byte for byte', async () => {
    const args = {
      note: 'pay \u202eevil\u202c \u200bnow',
      'ke\u202ey': '<img src=x onerror=alert(1)>',
      combining: 'e\u0301',
    };
    const { url, id } = await proposed(args, { message: 'Pay \u202ekcatta <b>now</b>' });
    await alice.visit(url);
    const shown = `${(await alice.page.textContent('#binding-message')) ?? ''} ${(await alice.page.textContent('#args')) ?? ''}`;
    for (const mark of [
      'U+202E',
      'U+202C',
      'U+200B',
      'U+0301',
      '<b>now</b>',
      '<img src=x onerror=alert(1)>',
    ])
      expect(shown).toContain(mark);
    expect(shown).not.toContain('\u202e');
    expect(await alice.page.locator('#args img, #binding-message b').count()).toBe(0);
    await alice.page.click('#approve');
    await alice.told(/You approved/);
    expect((await bridge.signed(id)).payload.args).toEqual(args);
  });
});
