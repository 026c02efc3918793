import { describe, expect, it } from 'vitest';
import { SIGNATURE, startPage } from './page-under-test.js';

describe('a restart between any two steps', () => {
  it('loses nothing: propose, sign in, read, approve, fetch, report, look', async () => {
    const page = await startPage();
    const proposal = page.proposal();
    const id = proposal.payload.nonce;
    await page.bridge('PUT', id, proposal);
    await page.restart();
    expect((await page.bridge('PUT', id, proposal)).status).toBe(200);
    const browser = await page.signedIn();
    await page.restart();
    expect((await browser.getJson(`/consents/${id}`)).json.payload).toEqual(proposal.payload);
    await page.restart();
    const approved = await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    expect(approved.status).toBe(200);
    await page.restart();
    const { body } = await page.bridge('GET', `${id}?wait=25`);
    expect(body.signed).toEqual({ payload: proposal.payload, signature: SIGNATURE });
    await page.bridge('POST', `${id}/outcome`, { state: 'success', at: page.seconds() });
    await page.restart();
    expect((await browser.getJson(`/consents/${id}/status`)).json.outcome.state).toBe('success');
    expect(page.events()).toEqual([
      'consent.proposed',
      'approver.signed_in',
      'consent.approved',
      'consent.outcome',
    ]);
  });

  it('after the signature was stored and before the answer arrived: the retry succeeds', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    await page.consents.approve(id, SIGNATURE);
    await page.restart();
    const retry = await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    expect([retry.status, retry.json.status]).toEqual([200, 'approved']);
  });

  it('while it was down the time ran out: expired, once', async () => {
    const page = await startPage();
    const id = await page.propose();
    page.now += 301_000;
    await page.restart();
    page.consents.sweep();
    page.consents.sweep();
    expect((await page.bridge('GET', id)).body).toEqual({
      id,
      status: 'expired',
      decided_at: page.consents.get(id).proposal.payload.exp,
    });
    expect(page.events()).toEqual(['consent.proposed', 'consent.expired']);
  });
});

describe('what is kept', () => {
  it('a consent goes a day after its deadline, decided or not', async () => {
    const page = await startPage();
    const [decided, open] = [await page.propose(), await page.propose()];
    await page.consents.approve(decided, SIGNATURE);
    page.now += (300 + 86_400) * 1000;
    page.consents.sweep();
    expect(page.consents.get(decided).status).toBe('approved');
    page.now += 1000;
    page.consents.sweep();
    for (const id of [decided, open]) {
      expect((await page.bridge('GET', id)).body.code).toBe('NotFound');
    }
  });

  it('is bounded: the 20,001st consent is refused, others are unaffected', async () => {
    const page = await startPage();
    const id = await page.propose();
    page.db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 19999)
      INSERT INTO consent (id, proposer, approver_id, exp, proposal, proposed_at, status)
      SELECT 'filler-' || i, proposer, approver_id, exp, proposal, proposed_at, status FROM consent, n`);
    const proposal = page.proposal();
    const { status, body } = await page.bridge('PUT', proposal.payload.nonce, proposal);
    expect([status, body.code]).toEqual([429, 'TooManyConsents']);
    expect((await page.bridge('GET', id)).body.status).toBe('pending');
  });

  it('the record cannot be changed, and is kept for 30 days', async () => {
    const page = await startPage();
    page.now = Date.now();
    await page.propose();
    expect(() => page.db.exec("UPDATE record SET event = 'x'")).toThrow(/append-only/);
    expect(() => page.db.exec('DELETE FROM record')).toThrow(/30 days/);
    page.now -= 31 * 86_400_000;
    await page.propose();
    page.now = Date.now();
    page.record.sweep();
    expect(page.events()).toHaveLength(1);
  });

  it('the record holds no args, signature, token or message', async () => {
    const page = await startPage();
    const id = await page.propose({
      args: { secret: 'args-secret' },
      binding_message: 'msg-secret',
    });
    const browser = await page.signedIn();
    await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    await browser.post('/enrol/options', { invite: 'invite-secret' });
    const text = JSON.stringify(page.record.entriesAfter(0));
    for (const secret of ['args-secret', 'msg-secret', 'invite-secret', SIGNATURE.signature]) {
      expect(text).not.toContain(secret);
    }
  });
});
