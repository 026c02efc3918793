import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../consent-ui/server/limits.js';
import { Refusal } from '../../../src/contract/errors.js';
import { SIGNATURE, startPage } from './page-under-test.js';

describe('limits', () => {
  it.each([
    ['signIn', '/sign-in/finish', { challenge_id: 'c', response: {} }],
    ['enrol', '/enrol/options', { invite: 'guess' }],
  ] as const)('%s: guessing is slowed down, with the time to wait', async (limit, path, body) => {
    const page = await startPage({ limits: { ...DEFAULT_LIMITS, [limit]: 3 } });
    const browser = page.browser();
    for (let i = 0; i < 3; i++) expect((await browser.post(path, body)).status).not.toBe(429);
    const answer = await browser.post(path, body);
    expect([answer.status, answer.json.code]).toEqual([429, 'RateLimited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('decide: counted for each approver, so that one cannot lock out another', async () => {
    const page = await startPage({ limits: { ...DEFAULT_LIMITS, decide: 2 } });
    const [alice, bob] = [await page.signedIn(), await page.signedIn('bob@example.com')];
    const id = await page.propose();
    for (let i = 0; i < 2; i++) await bob.post(`/consents/${id}/decline`, {});
    expect((await bob.post(`/consents/${id}/decline`, {})).json.code).toBe('RateLimited');
    expect((await alice.post(`/consents/${id}/decline`, {})).status).toBe(200);
  });

  it('requests: the person’s side is bounded, the bridge’s is not', async () => {
    const page = await startPage({ limits: { ...DEFAULT_LIMITS, requests: 5 } });
    const id = await page.propose();
    const browser = page.browser();
    for (let i = 0; i < 5; i++) await browser.get('/sign-in');
    expect((await browser.get('/sign-in')).status).toBe(429);
    for (let i = 0; i < 10; i++) expect((await page.bridge('GET', id)).status).toBe(200);
  });

  it('refusals in the record are bounded: noise does not fill the disk', async () => {
    const page = await startPage({ limits: { ...DEFAULT_LIMITS, recordedRefusals: 4 } });
    const browser = page.browser();
    for (let i = 0; i < 9; i++) await browser.post('/enrol/options', { invite: 'guess' });
    expect(page.events()).toEqual(Array.from({ length: 4 }, () => 'request.refused'));
  });
});

describe('the vault cannot be reached', () => {
  it('is said as such, and nothing is lost', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    page.vault.failure = new Refusal('Unavailable', 'consent-ui', { detail: 'vault: gone' });
    const answer = await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    expect([answer.status, answer.json.code]).toEqual([503, 'Unavailable']);
    expect((await browser.getJson(`/consents/${id}/status`)).json.status).toBe('pending');
    expect((await browser.get(`/consents/${id}`)).status).toBe(503);
    page.vault.failure = undefined;
    expect((await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE })).status).toBe(
      200,
    );
  });
});
