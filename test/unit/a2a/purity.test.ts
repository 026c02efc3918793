import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../../src/a2a/translation', import.meta.url));
const files = readdirSync(folder);

/** Modules whose values translation may use; types may come from anywhere. `@a2a-js/sdk` for its enumerations. */
const ALLOWED = /^(\.\/|\.\.\/extension\.js$|\.\.\/\.\.\/contract\/|@a2a-js\/sdk$)/;

it.each(files)('%s has no I/O, no crypto, no clock and no randomness', (file) => {
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  const values = [...text.matchAll(/^import (?!type )[^;]*? from '([^']+)';/gms)].map(
    ([, from]) => from!,
  );
  expect(values.filter((from) => !ALLOWED.test(from))).toEqual([]);
  expect(text).not.toMatch(/\b(Date|Math\.random|process|crypto|fetch|setTimeout|randomUUID)\b/);
  expect(text).not.toContain('async ');
});
