/** Makes a JavaScript file of a TypeScript one, for child processes; packages stay where they are. */
import { buildSync } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache');

/** @returns the bundled file and a way to remove it */
export function bundle(entry: string): { readonly file: string; readonly remove: () => void } {
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'rs-'));
  const file = join(dir, 'main.mjs');
  buildSync({
    entryPoints: [join(root, entry)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return { file, remove: () => rmSync(dir, { recursive: true }) };
}
