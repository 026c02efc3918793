import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CompromisedBridge } from '../../src/cli/compromised-bridge.js';
import { PersonInBrowser, launchChromium } from './person-in-browser.js';
import { TestStack } from '../support/test-stack.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ALICE = 'alice@example.com';
const caller = { subject: ALICE, client_id: 'agent', scopes: [] };

let stack: TestStack;
let browser: Browser;
let bridge: CompromisedBridge;

beforeAll(async () => {
  stack = await TestStack.start();
  bridge = stack.compromisedBridge();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** What axe finds serious or critical. It runs in an isolated world, so the page's own policy stays as strict as it is. */
async function serious(page: Page): Promise<string[]> {
  const cdp = await page.context().newCDPSession(page);
  const { frameTree } = await cdp.send('Page.getFrameTree');
  const { executionContextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  await cdp.send('Runtime.evaluate', { contextId: executionContextId, expression: AXE });
  const { result } = await cdp.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression: 'axe.run().then((r) => JSON.stringify(r.violations))',
    awaitPromise: true,
  });
  const violations = JSON.parse(String(result.value)) as Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

it.each(['light', 'dark'] as const)(
  'axe finds nothing serious on any page, %s',
  async (colorScheme) => {
    const person = await PersonInBrowser.open(browser, { colorScheme });
    const { page } = person;
    await page.goto(await stack.invite(ALICE));
    expect(await serious(page), 'enrol').toEqual([]);
    await person.enrol(stack, ALICE);
    expect(await serious(page), 'enrolled').toEqual([]);
    const payload = bridge.payload(caller, 'delete_task', {
      task_id: 't-1',
      nested: { list: [1, 'two\u202e', null] },
    });
    const url = await bridge.propose(payload);
    await page.goto(url);
    expect(await serious(page), 'sign-in').toEqual([]);
    await person.visit(url);
    await page.click('#exact summary');
    expect(await serious(page), 'consent').toEqual([]);
    await page.click('#decline');
    expect(await serious(page), 'declining').toEqual([]);
    await page.click('#keep');
    await page.click('#approve');
    await person.told(/You approved/);
    expect(await serious(page), 'approved').toEqual([]);
    await page.goto(`${stack.origin}/`);
    expect(await serious(page), 'inbox').toEqual([]);
    await page.goto(`${stack.origin}/consents/${'x'.repeat(43)}`);
    expect(await serious(page), 'message').toEqual([]);
    await person.close();
  },
);

it('the whole approval works from the keyboard', async () => {
  const person = await PersonInBrowser.open(browser);
  await person.enrol(stack, ALICE);
  await person.visit(
    await bridge.propose(bridge.payload(caller, 'delete_task', { task_id: 't-1' })),
  );
  await person.page.waitForSelector('#approve:enabled');
  for (let presses = 0; presses < 20; presses += 1) {
    await person.page.keyboard.press('Tab');
    if ((await person.page.evaluate(() => document.activeElement?.id)) === 'approve') break;
  }
  await person.page.keyboard.press('Enter');
  await person.told(/You approved/);
  await person.close();
});
