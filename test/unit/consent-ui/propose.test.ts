import { describe, expect, it } from 'vitest';
import type { Json } from './browser.js';
import { SIGNATURE, startPage } from './page-under-test.js';

describe('a proposal', () => {
  it('is stored once, and the same again changes nothing', async () => {
    const page = await startPage();
    const proposal = page.proposal();
    const id = proposal.payload.nonce;
    const first = await page.bridge('PUT', id, proposal);
    const again = await page.bridge('PUT', id, proposal);
    expect(first).toEqual({ status: 201, body: { id, status: 'pending' } });
    expect(again).toEqual({ status: 200, body: { id, status: 'pending' } });
    expect(page.events()).toEqual(['consent.proposed']);
  });

  it('is the same whatever the order of its members', async () => {
    const page = await startPage();
    const { tool, requested_by, payload } = page.proposal({ args: { a: 1, b: [true, null] } });
    await page.bridge('PUT', payload.nonce, { tool, requested_by, payload });
    const reordered = {
      payload: { ...payload, args: { b: [true, null], a: 1 } },
      requested_by,
      tool,
    };
    expect((await page.bridge('PUT', payload.nonce, reordered)).status).toBe(200);
  });

  it('with other content under the same id is refused', async () => {
    const page = await startPage();
    const proposal = page.proposal();
    const id = proposal.payload.nonce;
    await page.bridge('PUT', id, proposal);
    for (const changed of [
      { ...proposal, payload: { ...proposal.payload, args: { task_id: 't-99' } } },
      { ...proposal, payload: { ...proposal.payload, exp: proposal.payload.exp + 1 } },
      { ...proposal, tool: {} },
    ]) {
      const { status, body } = await page.bridge('PUT', id, changed);
      expect([status, body.code, body.layer]).toEqual([409, 'ConsentConflict', 'consent-ui']);
    }
    expect(page.consents.get(id).proposal).toEqual(proposal);
  });

  it('keeps its args exactly, members called __proto__ included', async () => {
    const page = await startPage();
    const args = JSON.parse('{"__proto__":{"x":1},"a":"\\u2028<script>","n":1.5e-7}') as object;
    const proposal = page.proposal();
    const body = { ...proposal, payload: { ...proposal.payload, args } };
    expect((await page.bridge('PUT', proposal.payload.nonce, body)).status).toBe(201);
    const browser = await page.signedIn();
    const seen = await browser.getJson(`/consents/${proposal.payload.nonce}`);
    expect(JSON.stringify(seen.json.payload.args)).toBe(JSON.stringify(args));
  });

  it('is refused when it has expired, with its exp as the only deadline', async () => {
    const page = await startPage();
    const late = page.proposal({ exp: page.seconds() });
    const { status, body } = await page.bridge('PUT', late.payload.nonce, late);
    expect([status, body.code]).toEqual([410, 'ConsentExpired']);
    expect(page.consents.ofApprover(late.payload.approver_id, 10)).toEqual([]);
  });

  it('names its id in the signed nonce', async () => {
    const page = await startPage();
    const proposal = page.proposal();
    const { body } = await page.bridge('PUT', 'another-id-another-id', proposal);
    expect([body.code, body.path]).toEqual(['MalformedRequest', 'payload.nonce']);
  });

  it('shows the client that is signed for', async () => {
    const page = await startPage();
    const proposal = page.proposal();
    const requested_by = { ...proposal.requested_by, client_id: 'harmless' };
    const { body } = await page.bridge('PUT', proposal.payload.nonce, {
      ...proposal,
      requested_by,
    });
    expect([body.code, body.path]).toEqual(['MalformedRequest', 'requested_by.client_id']);
  });

  it('without canonical bytes is refused', async () => {
    const page = await startPage();
    const proposal = page.proposal({ args: { big: 'x'.repeat(70_000) } });
    const { status, body } = await page.bridge('PUT', proposal.payload.nonce, proposal);
    expect([status, body.code]).toEqual([413, 'PayloadTooLarge']);
    const lone = page.proposal({ binding_message: '\ud800' });
    expect((await page.bridge('PUT', lone.payload.nonce, lone)).body.code).toMatch(/^Malformed/);
  });

  it('is not coerced, defaulted or stripped', async () => {
    const page = await startPage();
    const proposal = page.proposal();
    const id = proposal.payload.nonce;
    for (const payload of [
      { ...proposal.payload, exp: String(proposal.payload.exp) },
      { ...proposal.payload, extra: 1 },
      { ...proposal.payload, v: 1 },
    ]) {
      const { body } = await page.bridge('PUT', id, { ...proposal, payload });
      expect(body.code).toBe('MalformedRequest');
    }
  });

  it('larger than a body may be is refused', async () => {
    const page = await startPage();
    const { status, body } = await page.bridge('PUT', 'x'.repeat(43), { a: 'x'.repeat(300_000) });
    expect([status, body.code]).toEqual([413, 'PayloadTooLarge']);
  });

  it('with a member twice, or bytes that are not UTF-8, is refused from the raw text', async () => {
    const page = await startPage();
    const id = 'x'.repeat(43);
    const authorization = `Bearer ${await page.assertion()}`;
    for (const raw of [
      Buffer.from('{"payload":{},"payload":{}}'),
      Buffer.from([0x22, 0xff, 0x22]),
    ]) {
      const response = await page.http.request({
        method: 'PUT',
        path: `/v1/consents/${id}`,
        headers: { authorization, 'content-type': 'application/json' },
        body: raw,
      });
      expect(((await response.body.json()) as Json).code).toBe('MalformedJson');
    }
  });
});

describe('the service side', () => {
  it('takes only assertions signed by the client, for this service, and short-lived', async () => {
    const page = await startPage();
    const id = await page.propose();
    const [now, seconds] = [page.seconds(), 60];
    const stranger = page.assertion({}, {}, (await startPage()).bridgeKey.privateKey);
    for (const bad of [
      stranger,
      page.assertion({ aud: 'http://127.0.0.1:8422' }),
      page.assertion({ aud: [page.origin] }),
      page.assertion({ sub: 'other' }),
      page.assertion({ iss: 'nobody', sub: 'nobody' }),
      page.assertion({}, { typ: 'JWT' }),
      page.assertion({ exp: now + seconds + 1 }),
      page.assertion({ iat: now - 120, exp: now - 60 }),
      page.assertion({ iat: now + 30, exp: now + 60 }),
      Promise.resolve('not-a-jwt'),
    ]) {
      const { status, body } = await page.bridge('GET', id, undefined, await bad);
      expect([status, body.code]).toEqual([401, 'Unauthenticated']);
    }
    expect((await page.bridge('GET', id)).status).toBe(200);
  });

  it('remembers a verified assertion no longer than it lives, clock skew included', async () => {
    const page = await startPage();
    const id = await page.propose();
    const assertion = await page.assertion();
    expect((await page.bridge('GET', id, undefined, assertion)).status).toBe(200);
    page.now += 66_000;
    expect((await page.bridge('GET', id, undefined, assertion)).status).toBe(401);
  });

  it('shows a consent to the service that proposed it and to no other', async () => {
    const page = await startPage();
    const id = await page.propose();
    const other = await page.assertion({ iss: 'other', sub: 'other' });
    expect((await page.bridge('GET', id, undefined, other)).body.code).toBe('NotFound');
    expect((await page.bridge('POST', `${id}/cancel`, {}, other)).body.code).toBe('NotFound');
    expect(page.consents.get(id).status).toBe('pending');
  });

  it('keeps what the bridge reports: minted gives way to a result, a result stays', async () => {
    const page = await startPage();
    const id = await page.propose();
    const at = page.seconds();
    const report = (state: string) => page.bridge('POST', `${id}/outcome`, { state, at });
    expect((await report('success')).body.code).toBe('ConsentConflict');
    await page.consents.approve(id, SIGNATURE);
    await report('minted');
    expect((await report('success')).status).toBe(200);
    expect((await report('success')).status).toBe(200);
    expect((await report('minted')).status).toBe(200);
    expect((await report('failure')).body.code).toBe('ConsentConflict');
    expect(page.consents.get(id).outcome?.state).toBe('success');
    expect(page.events().filter((event) => event === 'consent.outcome')).toHaveLength(2);
  });
});
