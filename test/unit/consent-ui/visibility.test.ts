import { describe, expect, it } from 'vitest';
import { SIGNATURE, startPage } from './page-under-test.js';

const SECRET = 'delete-everything-of-alice';

describe('a consent is its approver’s alone', () => {
  it('another signed-in approver gets 403 and nothing of the action', async () => {
    const page = await startPage();
    const id = await page.propose({ binding_message: SECRET, cmd: SECRET, args: { a: SECRET } });
    const bob = await page.signedIn('bob@example.com');
    const answers = [
      await bob.get(`/consents/${id}`),
      await bob.getJson(`/consents/${id}`),
      await bob.getJson(`/consents/${id}/status`),
      await bob.post(`/consents/${id}/approve`, { signature: SIGNATURE }),
      await bob.post(`/consents/${id}/decline`, {}),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(403);
      expect(text).toContain('Forbidden');
      for (const detail of [SECRET, 'alice', 'claude', 'pending'])
        expect(text).not.toContain(detail);
    }
    expect(page.consents.get(id).status).toBe('pending');
    expect((await bob.getJson('/')).json).toEqual({ pending: [], recent: [], more: false });
  });

  it('without sign-in, an id that exists and one that does not look alike', async () => {
    const page = await startPage();
    const real = await page.propose();
    const fake = 'x'.repeat(real.length);
    const stranger = page.browser();
    for (const suffix of ['', '/status']) {
      const [a, b] = [
        await stranger.getJson(`/consents/${real}${suffix}`),
        await stranger.getJson(`/consents/${fake}${suffix}`),
      ];
      expect(a.json.code).toBe('Unauthenticated');
      expect(a.text).toBe(b.text);
    }
    for (const action of ['approve', 'decline']) {
      const [a, b] = [
        await stranger.post(`/consents/${real}/${action}`, {}),
        await stranger.post(`/consents/${fake}/${action}`, {}),
      ];
      expect([a.status, a.text]).toEqual([401, b.text]);
    }
    const [a, b] = [
      await stranger.get(`/consents/${real}`),
      await stranger.get(`/consents/${fake}`),
    ];
    expect([a.status, a.headers['location']]).toEqual([302, `/sign-in?next=%2Fconsents%2F${real}`]);
    expect([b.status, b.headers['location']]).toEqual([302, `/sign-in?next=%2Fconsents%2F${fake}`]);
  });

  it('is listed to its approver, pending before decided', async () => {
    const page = await startPage();
    const [one, two] = [await page.propose(), await page.propose()];
    page.consents.decline(one, undefined);
    const { json } = await (await page.signedIn()).getJson('/');
    expect(json.pending).toMatchObject([{ id: two, status: 'pending' }]);
    expect(json.recent).toMatchObject([{ id: one, status: 'declined' }]);
  });

  it('comes with everything that is signed, and no signature', async () => {
    const page = await startPage();
    const id = await page.propose();
    await page.consents.approve(id, SIGNATURE);
    page.consents.report(id, { state: 'success', at: page.seconds() });
    const { json, text } = await (await page.signedIn()).getJson(`/consents/${id}`);
    const { proposal } = page.consents.get(id);
    expect(json).toEqual({
      id,
      ...proposal,
      status: 'approved',
      seconds_left: 300,
      decided_at: page.seconds(),
      outcome: { state: 'success', at: page.seconds() },
    });
    expect(text).not.toContain(SIGNATURE.signature);
  });

  it('cannot be proposed, cancelled or reported on with a person’s session', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    const proposal = page.proposal();
    const put = await browser.send(
      'PUT',
      `/v1/consents/${proposal.payload.nonce}`,
      JSON.stringify(proposal),
      { 'content-type': 'application/json', origin: page.origin, 'x-csrf-token': browser.csrf },
    );
    expect(put.status).toBe(401);
    expect((await browser.post(`/v1/consents/${id}/cancel`, {})).status).toBe(401);
    expect((await browser.getJson(`/v1/consents/${id}`)).status).toBe(401);
  });

  it('is not enrolled for: the consent page links to no enrolment', async () => {
    const page = await startPage();
    const id = await page.propose();
    const { text } = await (await page.signedIn()).get(`/consents/${id}`);
    expect(text).not.toContain('/enrol');
  });
});
