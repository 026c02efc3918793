import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/contract/errors.js';
import { SIGNATURE, startPage } from './page-under-test.js';

describe('one final state, the first write wins', () => {
  it.each([
    ['declined', 409, 'AlreadyDecided'],
    ['cancelled', 409, 'AlreadyDecided'],
    ['expired', 410, 'ConsentExpired'],
  ] as const)('%s while the vault examines: the approval loses', async (status, http, code) => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    page.vault.onExamine = async () => {
      if (status === 'declined') page.consents.decline(id, undefined);
      if (status === 'cancelled') page.consents.cancel(id);
      if (status === 'expired') page.now += 300_000;
      await Promise.resolve();
    };
    const answer = await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    expect([answer.status, answer.json.code]).toEqual([http, code]);
    const { body } = await page.bridge('GET', id);
    expect([body.status, body.signed]).toEqual([status, undefined]);
  });

  it('approved first: decline and cancel come too late', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    const declined = await browser.post(`/consents/${id}/decline`, {});
    expect(declined.json.code).toBe('AlreadyDecided');
    expect((await page.bridge('POST', `${id}/cancel`, {})).body.status).toBe('approved');
    page.now += 400_000;
    page.consents.sweep();
    expect((await page.bridge('GET', id)).body.status).toBe('approved');
    expect(page.events().filter((event) => event.startsWith('consent.'))).toEqual([
      'consent.proposed',
      'consent.approved',
    ]);
  });

  it('many at once: exactly one final state, recorded once', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => {
        if (i % 3 === 0) return browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
        if (i % 3 === 1) return browser.post(`/consents/${id}/decline`, {});
        return page.bridge('POST', `${id}/cancel`, {});
      }),
    );
    const { status } = page.consents.get(id);
    for (const { status: http, json } of answers.filter((answer) => 'json' in answer)) {
      expect(http === 200 ? json.status : json.code).toBe(http === 200 ? status : 'AlreadyDecided');
    }
    const finals = page.events().filter((event) => /approved|declined|cancelled/.test(event));
    expect(finals).toEqual([`consent.${status}`]);
  });

  it('the same signature again is answered without asking the vault', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    const first = await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    page.vault.failure = new Refusal('Unavailable', 'vault');
    page.now += 400_000;
    const again = await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    expect([first.status, again.status, again.json.status]).toEqual([200, 200, 'approved']);
    expect(page.vault.examined).toHaveLength(1);
  });

  it('a second tab signs the same bytes: examined, and the first signature stays', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    const second = { ...SIGNATURE, signature: 'DDDD' };
    const answer = await browser.post(`/consents/${id}/approve`, { signature: second });
    expect([answer.status, page.vault.examined.length]).toEqual([200, 2]);
    expect((await page.bridge('GET', id)).body.signed.signature.signature).toBe('CCCC');
  });
});

describe('approving', () => {
  it('sends the vault the stored payload, never one from the browser', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    const smuggled = await browser.post(`/consents/${id}/approve`, {
      signature: SIGNATURE,
      payload: { ...page.consents.get(id).proposal.payload, args: { task_id: 't-99' } },
    });
    expect(smuggled.json.code).toBe('MalformedRequest');
    await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
    expect(page.vault.examined[0]?.payload).toEqual(page.consents.get(id).proposal.payload);
  });

  it.each(['SignatureMismatch', 'UnknownApprover', 'AuthenticatorCloned', 'PolicyDenied'] as const)(
    'the vault says %s: so it is told, and the consent stays pending',
    async (code) => {
      const page = await startPage();
      const id = await page.propose();
      const browser = await page.signedIn();
      page.vault.onExamine = () => Promise.reject(new Refusal(code, 'vault'));
      const { json } = await browser.post(`/consents/${id}/approve`, { signature: SIGNATURE });
      expect([json.code, json.layer]).toEqual([code, 'vault']);
      expect(page.consents.get(id).status).toBe('pending');
      expect(page.record.entriesAfter(0).at(-1)).toMatchObject({
        event: 'request.refused',
        code,
        layer: 'vault',
        consent_id: id,
        approver_id: 'alice@example.com',
      });
    },
  );

  it('one second before exp works, at exp it does not', async () => {
    const page = await startPage();
    const [soon, late] = [await page.propose(), await page.propose()];
    const browser = await page.signedIn();
    page.now += 299_000;
    const inTime = await browser.post(`/consents/${soon}/approve`, { signature: SIGNATURE });
    page.now += 1000;
    const tooLate = await browser.post(`/consents/${late}/approve`, { signature: SIGNATURE });
    expect([inTime.status, tooLate.status, tooLate.json.code]).toEqual([
      200,
      410,
      'ConsentExpired',
    ]);
    expect(page.vault.examined).toHaveLength(1);
  });

  it('keeps a reason for declining, and none when there is none', async () => {
    const page = await startPage();
    const [one, two] = [await page.propose(), await page.propose()];
    const browser = await page.signedIn();
    await browser.post(`/consents/${one}/decline`, { reason: 'Not that one \u202e' });
    await browser.post(`/consents/${two}/decline`, { reason: '' });
    expect((await page.bridge('GET', one)).body.reason).toBe('Not that one \u202e');
    expect((await page.bridge('GET', two)).body).not.toHaveProperty('reason');
    const long = await browser.post(`/consents/${one}/decline`, { reason: 'x'.repeat(2001) });
    expect(long.json.code).toBe('MalformedRequest');
  });
});
