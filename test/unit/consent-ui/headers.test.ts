import { describe, expect, it } from 'vitest';
import { islandOf } from '../../../consent-ui/server/views.js';
import { startPage } from './page-under-test.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join(';');

describe('every answer', () => {
  it('carries the whole set of headers, whatever it says', async () => {
    const page = await startPage();
    const id = await page.propose();
    const browser = await page.signedIn();
    const answers = [
      await browser.get('/'),
      await browser.get(`/consents/${id}`),
      await browser.get('/sign-in'),
      await browser.get('/enrol'),
      await browser.get('/consents/no-such-consent-here'),
      await browser.get('/nowhere'),
      await page.browser().get(`/consents/${id}`),
      await browser.getJson(`/consents/${id}/status`),
      await browser.post(`/consents/${id}/decline`, {}, { origin: 'https://evil.example' }),
    ];
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': POLICY,
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(headers['permissions-policy']).toContain('publickey-credentials-get=(self)');
    }
  });

  it('is a problem document for programs and a page for people', async () => {
    const page = await startPage();
    const browser = await page.signedIn();
    const problem = await browser.getJson('/consents/no-such-consent-here');
    expect(problem.headers['content-type']).toContain('application/problem+json');
    expect(problem.json).toMatchObject({ status: 404, code: 'NotFound', layer: 'consent-ui' });
    const human = await browser.get('/consents/no-such-consent-here');
    expect([human.status, human.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  it('is typed even when the address cannot be decoded', async () => {
    const page = await startPage();
    const answer = await page.browser().getJson('/consents/%ff');
    expect(answer.json).toMatchObject({ status: 400, code: 'MalformedRequest' });
  });

  it('caches assets by their content, and serves nothing else from the disk', async () => {
    const page = await startPage();
    const browser = page.browser();
    const { text } = await browser.get('/sign-in');
    const address = /href="(\/assets\/style\.css\?v=[\w-]{43})"/.exec(text)?.[1] ?? '';
    expect((await browser.get(address)).headers['cache-control']).toContain('immutable');
    expect((await browser.get('/assets/style.css?v=old')).headers['cache-control']).toBe(
      'no-cache',
    );
    for (const path of ['..%2f..%2fpackage.json', 'layout.eta', '__proto__', '%2e%2e']) {
      expect((await browser.getJson(`/assets/${path}`)).status).toBe(404);
    }
  });
});

describe('text from others', () => {
  it('cannot become markup', async () => {
    const page = await startPage();
    const hostile = '</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>';
    const id = await page.propose({ binding_message: hostile, args: { [hostile]: hostile } });
    const { text } = await (await page.signedIn()).get(`/consents/${id}`);
    expect(text.match(/<script/g)).toHaveLength(2);
    expect(text).not.toContain('<img src=x');
    const island = /id="island">(.*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(JSON.parse(island).consent.payload.binding_message).toBe(hostile);
  });

  it('cannot end the element it is carried in', () => {
    const data = { a: '</script>', '<!--': ['<script>'] };
    expect(islandOf(data)).not.toContain('<');
    expect(JSON.parse(islandOf(data))).toEqual(data);
  });

  it('is escaped in the frame too', async () => {
    const page = await startPage();
    const browser = await page.signedIn('"><b>\u202emallory');
    const { text } = await browser.get('/enrol');
    expect(text).not.toContain('<b>');
    expect(text).not.toContain('\u202e');
    expect(text).toContain('⟨U+202E⟩');
  });
});
