/**
 * Claim: After sign-in the page leads to its own pages, whatever `next` says (unvalidated redirects, RFC 9700 section 4.11).
 * Enforced by: consent-ui/server/next-path.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { page } from '../support/page-visitor.js';
attack('no next leads off the page', async ({ world }) => {
  const next = async (wanted: string): Promise<unknown> => {
    const { text } = await page(
      `${world.stack.origin}/sign-in?next=${encodeURIComponent(wanted)}`,
      { accept: 'text/html' },
    );
    const island = /id="island">([^<]*)</.exec(text)?.[1] ?? '{}';
    return (JSON.parse(island) as { next: unknown }).next;
  };
  const own = `/consents/${'a'.repeat(43)}`;
  expect(await next(own)).toBe(own);
  for (const wanted of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    `${own}/../../evil`,
    `${own}?x=1`,
    `${own}#x`,
    'javascript:alert(1)',
    '/enrol',
    ' /',
    `/consents/${'a'.repeat(43)}\n`,
  ]) {
    expect.soft(await next(wanted), wanted).toBe('/');
  }
});
