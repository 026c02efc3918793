#!/usr/bin/env node
/** Bundles and runs the conformance comparison on what is built: `node test/conformance/run.mjs [--only SCENARIO]`. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const directory = mkdtempSync(join(cache, 'conformance-'));
const outfile = join(directory, 'conformance.mjs');
// What finds its place in the repository by its own address must keep it.
const asTheyAre = {
  name: 'as-they-are',
  setup: (bundle) =>
    bundle.onResolve({ filter: /^\.\.\/support\/[\w-]+\.mjs$/ }, ({ path }) => ({
      path: pathToFileURL(join(here, path)).href,
      external: true,
    })),
};
await build({
  entryPoints: [join(here, 'conformance.ts')],
  ...{ outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' },
  packages: 'external',
  plugins: [asTheyAre],
});
const args = ['--enable-source-maps', outfile, ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: 'inherit', cwd: root });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => {
  rmSync(directory, { recursive: true });
  process.exit(code ?? 1);
});
