import { describe, expect, it, vi } from 'vitest';
import { type PageUnderTest, SIGNATURE, startPage } from './page-under-test.js';

describe('waiting for a decision', () => {
  it('is answered at once when the person decides', async () => {
    const page = await startPage();
    const id = await page.propose();
    const waiting = page.bridge('GET', `${id}?wait=25`);
    await polls(page, 1);
    await page.consents.approve(id, SIGNATURE);
    const { body } = await waiting;
    expect([body.status, body.signed.signature]).toEqual(['approved', SIGNATURE]);
    expect(body.signed.payload).toEqual(page.consents.get(id).proposal.payload);
  });

  it('wakes everybody who waits for that consent, and nobody else', async () => {
    const page = await startPage();
    const [one, two] = [await page.propose(), await page.propose()];
    const both = [page.bridge('GET', `${one}?wait=25`), page.bridge('GET', `${one}?wait=25`)];
    const other = page.bridge('GET', `${two}?wait=25`);
    await polls(page, 3);
    page.consents.decline(one, 'no');
    for (const { body } of await Promise.all(both)) {
      expect([body.status, body.reason]).toEqual(['declined', 'no']);
    }
    expect(page.waiters.size).toBe(1);
    page.consents.cancel(two);
    expect((await other).body.status).toBe('cancelled');
  });

  it('is woken when the deadline passes', async () => {
    const page = await startPage();
    const id = await page.propose();
    const waiting = page.bridge('GET', `${id}?wait=25`);
    await polls(page, 1);
    page.now += 301_000;
    page.consents.sweep();
    expect((await waiting).body.status).toBe('expired');
  });

  it('is answered at once without a wait, and when already decided', async () => {
    const page = await startPage();
    const id = await page.propose();
    expect((await page.bridge('GET', id)).body.status).toBe('pending');
    page.consents.cancel(id);
    expect((await page.bridge('GET', `${id}?wait=25`)).body.status).toBe('cancelled');
  });

  it('is forgotten when the client goes away', async () => {
    const page = await startPage();
    const id = await page.propose();
    const gone = new AbortController();
    const request = page.http.request({
      method: 'GET',
      path: `/v1/consents/${id}?wait=25`,
      headers: { authorization: `Bearer ${await page.assertion()}` },
      signal: gone.signal,
    });
    await polls(page, 1);
    gone.abort();
    await expect(request).rejects.toThrow();
    await polls(page, 0);
    expect(page.consents.get(id).status).toBe('pending');
  });

  it('does not keep a closing server open', async () => {
    const page = await startPage();
    const id = await page.propose();
    const waiting = page.bridge('GET', `${id}?wait=25`);
    await polls(page, 1);
    await page.app.close();
    expect((await waiting).body.status).toBe('pending');
  });

  it.each(['26', '-1', '1.5', 'abc', ''])('refuses wait=%s', async (wait) => {
    const page = await startPage();
    const id = await page.propose();
    const { body } = await page.bridge('GET', `${id}?wait=${wait}`);
    expect([body.code, body.path]).toEqual(['MalformedRequest', 'wait']);
  });
});

function polls(page: PageUnderTest, count: number): Promise<void> {
  return vi.waitFor(() => expect(page.waiters.size).toBe(count), { interval: 5, timeout: 3000 });
}
