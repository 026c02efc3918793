import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { domainDir } from '../../src/cli/data-directory.js';
import {
  AuthorizationServer,
  PAGE_SECRET,
  pageClient,
  pageOidc,
} from '../support/authorization-server.js';
import { LegacyClient, elicitationOf, structured } from '../support/mcp-clients.js';
import { TestStack } from '../support/test-stack.js';
import { type Look, PersonInBrowser, launchChromium } from './person-in-browser.js';

/** Whom the authorization server of the tests signs in. */
const ALICE = 'alice@example.com';
const SHOTS = process.env['SCREENSHOTS'];

let issuer: AuthorizationServer;
let stack: TestStack;
let browser: Browser;

beforeAll(async () => {
  issuer = await AuthorizationServer.start([]);
  stack = await TestStack.start((configs) => {
    configs['consent-ui'].oidc = pageOidc(issuer.issuer);
  });
  writeFileSync(join(domainDir(stack.data, 'consent-ui'), 'oidc.secret'), PAGE_SECRET);
  await issuer.register([pageClient(stack.origin)]);
  browser = await launchChromium();
});
afterAll(() => Promise.all([browser.close(), stack.stop(), issuer.stop()]));

it('somebody signs in at the provider, reads, and approves with the passkey', async () => {
  const person = await PersonInBrowser.open(browser);
  const { page } = person;
  await person.enrol(stack, ALICE);
  const client = await LegacyClient.fresh(stack, ALICE);
  const task_id = await client.newTask('seen through the provider');
  const asked = elicitationOf(await client.call('delete_task', { task_id }));

  await page.goto(asked.url);
  expect(page.url()).toContain('/sign-in');
  await page.click('#sign-in-oidc');
  await page.waitForURL(asked.url);
  expect(await page.textContent('#binding-message')).toBe(`Delete task ${task_id}`);
  expect(page.url()).not.toContain('code=');
  await page.click('#approve');
  await person.told(/You approved/);
  expect(structured(await client.call('delete_task', { task_id }))).toEqual({ deleted: task_id });
  await Promise.all([client.close(), person.close()]);
});

it('an answer nobody here began is told so, and the code leaves the address', async () => {
  const person = await PersonInBrowser.open(browser);
  const { page } = person;
  await page.goto(`${stack.origin}/sign-in/oidc/callback?code=x&state=y`);
  await person.told(/did not verify/);
  expect(page.url()).toBe(`${stack.origin}/sign-in/oidc/callback`);
  expect(await page.isVisible('#again')).toBe(true);
  await person.close();
});

const LOOKS: Readonly<Record<string, Look>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
};

it.each(Object.entries(LOOKS))('the sign-in page fits: %s', async (name, look) => {
  const person = await PersonInBrowser.open(browser, look);
  const { page } = person;
  await page.goto(`${stack.origin}/sign-in`);
  expect(await page.isVisible('#sign-in-oidc')).toBe(true);
  const wider = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(wider).toBeLessThanOrEqual(0);
  if (SHOTS !== undefined) {
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `sign-in-${name}.png`) });
  }
  await person.close();
});
