import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, claims, claimsTable } from '../support/claims.js';

const DOCUMENTS = ['README.md', 'SECURITY.md', 'CANONICAL.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

describe('the table of claims in SECURITY.md', () => {
  it('is the one made from the attack tests (UPDATE_DOCS=1 writes it)', () => {
    const text = read('SECURITY.md');
    const wanted = text.replace(
      /(<!-- claims:begin -->\n)[^]*(<!-- claims:end -->)/,
      (_all, begin: string, end: string) => `${begin}\n${claimsTable()}\n\n${end}`,
    );
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(join(ROOT, 'SECURITY.md'), wanted);
    else
      expect(text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')).toBe(
        wanted.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---'),
      );
  });

  it('names files that exist', () => {
    for (const { enforcedBy } of claims()) {
      for (const file of enforcedBy) expect(existsSync(join(ROOT, file)), file).toBe(true);
    }
  });
});

describe.each(DOCUMENTS)('%s', (name) => {
  it('links to files that exist', () => {
    const links = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path!);
    for (const path of links) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(name).matchAll(/npm run ([a-z:]+)/g)].map(([, script]) => script!);
    for (const script of named) expect(scripts).toHaveProperty([script]);
  });
});
