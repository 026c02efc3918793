import { SignJWT } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ALICE, type PageUnderTest, startPage } from './page-under-test.js';
import { KEY_ID } from './fake-vault.js';

const { privateKey } = generateKeyPairSync('ed25519');
const SIGNATURE = { scheme: 'eddsa', key_id: KEY_ID, signature: 'w'.repeat(86) };

describe('a terminal approver', () => {
  it('reads, approves and declines with an assertion, without cookie, CSRF token, Origin or Host', async () => {
    const page = await startPage();
    const [one, two] = [await page.propose(), await page.propose()];
    const terminal = { authorization: await assertion(page), host: undefined, origin: undefined };
    const browser = page.browser();
    const seen = await browser.getJson(`/consents/${one}`, terminal);
    expect([seen.status, seen.json.payload.args]).toEqual([200, { task_id: 't-42' }]);
    const headers = { ...terminal, 'sec-fetch-site': undefined };
    const approved = await browser.post(
      `/consents/${one}/approve`,
      { signature: SIGNATURE },
      headers,
    );
    expect(approved.json.status).toBe('approved');
    const declined = await browser.post(`/consents/${two}/decline`, { reason: 'no' }, headers);
    expect(declined.json.status).toBe('declined');
    expect((await page.bridge('GET', one)).body.signed.signature).toEqual(SIGNATURE);
  });

  it('has its assertion verified by the vault once, for as long as it lives', async () => {
    const page = await startPage();
    const id = await page.propose();
    const headers = { authorization: await assertion(page) };
    for (let i = 0; i < 3; i++) await page.browser().getJson(`/consents/${id}`, headers);
    expect(page.vault.assertionsSeen).toBe(1);
    page.now += 61_000;
    expect((await page.browser().getJson(`/consents/${id}`, headers)).status).toBe(401);
  });

  it.each([
    ['for another page', { aud: 'https://elsewhere.example' }, {}],
    ['expired', { exp: 1_799_999_999 }, {}],
    ['of a service', {}, { typ: 'client-authentication+jwt' }],
    ['of nobody enrolled', { sub: 'stranger' }, {}],
  ])('with an assertion %s is not signed in', async (_name, claims, header) => {
    const page = await startPage();
    const id = await page.propose();
    const authorization = await assertion(page, claims, header);
    const answer = await page.browser().getJson(`/consents/${id}`, { authorization });
    expect([answer.status, answer.json.code]).toEqual([401, 'Unauthenticated']);
  });

  it('with a bad assertion is not saved by a good cookie', async () => {
    const page = await startPage();
    const browser = await page.signedIn();
    const answer = await browser.getJson('/', { authorization: 'Bearer nonsense' });
    expect(answer.status).toBe(401);
  });

  it('sees only their own', async () => {
    const page = await startPage();
    const id = await page.propose();
    const authorization = await assertion(page, { sub: 'bob@example.com' });
    const answer = await page.browser().getJson(`/consents/${id}`, { authorization });
    expect(answer.json.code).toBe('Forbidden');
  });

  it('cannot come in with the bridge’s assertion', async () => {
    const page = await startPage();
    const id = await page.propose();
    const authorization = `Bearer ${await page.assertion()}`;
    const answer = await page.browser().getJson(`/consents/${id}`, { authorization });
    expect(answer.status).toBe(401);
  });
});

async function assertion(
  page: PageUnderTest,
  claims: Record<string, unknown> = {},
  header: Record<string, string> = {},
): Promise<string> {
  const iat = page.seconds();
  const jwt = await new SignJWT({
    sub: ALICE,
    aud: page.origin,
    iat,
    exp: iat + 60,
    jti: 'j',
    ...claims,
  })
    .setProtectedHeader({
      alg: 'EdDSA',
      typ: 'approver-authentication+jwt',
      kid: KEY_ID,
      ...header,
    })
    .sign(privateKey);
  return `Bearer ${jwt}`;
}
