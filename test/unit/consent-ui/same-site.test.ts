import { describe, expect, it } from 'vitest';
import { SIGNATURE, startPage } from './page-under-test.js';

const OTHERS: readonly (readonly [string, Record<string, string | undefined>])[] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://localhost:9999' }],
  ['the IP address', { origin: 'http://127.0.0.1:8421' }],
  ['no origin', { origin: undefined }],
  ['an opaque origin', { origin: 'null' }],
  ['cross-site by Fetch Metadata', { 'sec-fetch-site': 'cross-site' }],
  ['same-site only', { 'sec-fetch-site': 'same-site' }],
  ['no CSRF token', { 'x-csrf-token': undefined }],
  ['another CSRF token', { 'x-csrf-token': 'x'.repeat(43) }],
  ['another host (rebinding)', { host: 'evil.example:8421' }],
];

describe('a change comes from the page itself', () => {
  it.each(OTHERS)('%s: approve and decline are refused', async (_name, headers) => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    for (const [action, body] of [
      ['approve', { signature: SIGNATURE }],
      ['decline', {}],
    ] as const) {
      const answer = await browser.post(`/consents/${id}/${action}`, body, headers);
      expect([answer.status, answer.json.code]).toEqual([403, 'CrossOrigin']);
    }
    expect(page.consents.get(id).status).toBe('pending');
    expect(page.vault.examined).toEqual([]);
  });

  it('a CSRF token of another session is refused', async () => {
    const page = await startPage();
    const id = await page.propose();
    const [alice, again] = [await page.signedIn(), await page.signedIn()];
    const headers = { 'x-csrf-token': again.csrf };
    expect((await alice.post(`/consents/${id}/decline`, {}, headers)).json.code).toBe(
      'CrossOrigin',
    );
    expect((await alice.post(`/consents/${id}/decline`, {})).status).toBe(200);
  });

  it.each(OTHERS.filter(([name]) => !name.includes('CSRF')))(
    '%s: sign-in and enrolment are refused',
    async (_name, headers) => {
      const page = await startPage();
      const browser = page.browser();
      for (const path of [
        '/sign-in/options',
        '/sign-in/finish',
        '/enrol/options',
        '/enrol/finish',
      ]) {
        expect((await browser.post(path, {}, headers)).json.code).toBe('CrossOrigin');
      }
    },
  );

  it('pages are served under the configured host only', async () => {
    const page = await startPage();
    const answer = await page.browser().getJson('/sign-in', { host: 'rebound.example' });
    expect([answer.status, answer.json.code]).toEqual([403, 'CrossOrigin']);
  });

  it('a form post is not a body we read', async () => {
    const page = await startPage();
    const browser = await page.signedIn();
    const id = await page.propose();
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
      const answer = await browser.post(`/consents/${id}/decline`, {}, { 'content-type': type });
      expect(answer.json.code).toBe('MalformedRequest');
    }
    expect(page.consents.get(id).status).toBe('pending');
  });
});

describe('looking changes nothing', () => {
  it('GET and HEAD of every address leave the consent and the record as they were', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    const before = page.events();
    const actions = ['', '/status', '/approve', '/decline'];
    for (const path of ['/', '/sign-in', '/enrol', ...actions.map((a) => `/consents/${id}${a}`)]) {
      for (const method of ['GET', 'HEAD'] as const) {
        await browser.send(method, path, undefined, { accept: 'text/html' });
      }
    }
    page.now += 301_000;
    expect((await browser.getJson(`/consents/${id}`)).json.status).toBe('expired');
    expect(page.db.prepare('SELECT status FROM consent').pluck().get()).toBe('pending');
    expect(page.events()).toEqual(before);
  });

  it('without being signed in is answered with the sign-in page, and is no event', async () => {
    const page = await startPage();
    const id = await page.propose();
    const before = page.events();
    for (const path of ['/', `/consents/${id}`, '/consents/abcdefghijklmnopqrst']) {
      expect((await page.browser().get(path)).status).toBe(302);
    }
    expect(page.events()).toEqual(before);
  });
});
