import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function linesOf(folder: string): number[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8').split('\n').length - 1);
}

it('contract, vault and rs can be read in an afternoon: median file under 100 lines, none over 300', () => {
  const sizes = ['src/contract', 'vault', 'rs'].flatMap(linesOf).sort((a, b) => a - b);
  const total = sizes.reduce((sum, lines) => sum + lines, 0);
  const median = sizes[Math.floor(sizes.length / 2)]!;
  console.log(
    `contract + vault + rs: ${sizes.length} files, ${total} lines, median ${median}, longest ${sizes.at(-1)!}`,
  );
  expect(median).toBeLessThan(100);
  expect(sizes.at(-1)).toBeLessThanOrEqual(300);
});
