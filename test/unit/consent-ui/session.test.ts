import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startPage } from './page-under-test.js';

describe('the session', () => {
  it('is a strict, script-proof cookie', async () => {
    const page = await startPage();
    const { headers } = await page.browser().signIn('alice@example.com');
    expect(headers['set-cookie']).toMatch(
      /^session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('is a __Host- cookie over https', async () => {
    const page = await startPage({ origin: 'https://consent.example.com' });
    const { headers } = await page.browser().signIn('alice@example.com');
    expect(headers['set-cookie']).toMatch(
      /^__Host-session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('is another one after every sign-in, and the one before is over', async () => {
    const page = await startPage();
    const browser = await page.signedIn();
    const before = browser.cookie;
    await browser.signIn('alice@example.com');
    expect(browser.cookie).not.toBe(before);
    expect((await browser.getJson('/')).status).toBe(200);
    browser.cookie = before;
    expect((await browser.getJson('/')).status).toBe(401);
  });

  it('is not the one an attacker planted', async () => {
    const page = await startPage();
    const browser = page.browser();
    browser.cookie = `session=${'A'.repeat(43)}`;
    await browser.signIn('alice@example.com');
    expect(browser.cookie).not.toContain('AAAA');
  });

  it('lies in the database as a hash only', async () => {
    const page = await startPage();
    const { cookie = '' } = await page.signedIn();
    const token = cookie.slice('session='.length);
    const [row, ...others] = page.db.prepare('SELECT hash FROM session').pluck().all();
    expect(others).toEqual([]);
    expect(row).toEqual(createHash('sha256').update(token).digest());
    expect(JSON.stringify(page.record.entriesAfter(0))).not.toContain(token);
  });

  it('ends after its time, and at sign-out', async () => {
    const page = await startPage();
    const [one, two] = [await page.signedIn(), await page.signedIn()];
    const { cookie } = two;
    expect((await two.post('/sign-out', {})).status).toBe(200);
    two.cookie = cookie;
    expect((await two.getJson('/')).json.code).toBe('Unauthenticated');
    page.now += 3_601_000;
    expect((await one.getJson('/')).json.code).toBe('Unauthenticated');
    page.sessionStore.sweep(page.seconds());
    expect(page.db.prepare('SELECT count(*) FROM session').pluck().get()).toBe(0);
  });

  it('opens nothing any more once its key is revoked', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    page.vault.revoked.add('alice@example.com');
    for (const path of ['/', `/consents/${id}`]) {
      const answer = await browser.get(path);
      expect([answer.status, answer.headers['location']]).toEqual([
        302,
        `/sign-in?next=${encodeURIComponent(path)}`,
      ]);
    }
    // The sign-in page must not send such a browser straight back.
    expect((await browser.getJson('/session')).status).toBe(401);
  });
});

describe('after sign-in', () => {
  it.each([
    ['/consents/abcdefghijklmnopqrstuvwxyz', '/consents/abcdefghijklmnopqrstuvwxyz'],
    ['//evil.example/consents/abcdefghijklmnopqrstuvwxyz', '/'],
    ['https://evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/consents/../../evil', '/'],
    ['/consents/abcdefghijklmnopqrstuvwxyz?x=1', '/'],
    ['javascript:alert(1)', '/'],
    ['/consents/abcdefghijklmnopqrstuvwxyz%0d%0aSet-Cookie:x', '/'],
    ['/enrol', '/'],
  ])('next=%s leads to %s', async (next, expected) => {
    const page = await startPage();
    const { text } = await page.browser().get(`/sign-in?next=${encodeURIComponent(next)}`);
    expect(text).toContain(`id="island">{"next":"${expected}"}</script>`);
  });

  it('next given twice leads to the list', async () => {
    const page = await startPage();
    const id = 'abcdefghijklmnopqrstuvwxyz';
    const { text } = await page.browser().get(`/sign-in?next=/consents/${id}&next=/consents/${id}`);
    expect(text).toContain('{"next":"/"}');
  });
});
