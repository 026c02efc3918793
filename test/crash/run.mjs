#!/usr/bin/env node
/** Bundles one TypeScript program of this folder and runs it: `node test/crash/run.mjs crash --runs 200`. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const cache = join(here, '../../node_modules/.cache');
const [program, ...args] = process.argv.slice(2);
mkdirSync(cache, { recursive: true });
const dir = mkdtempSync(join(cache, 'crash-'));
const outfile = join(dir, `${program}.mjs`);
buildSync({
  entryPoints: [join(here, `${program}.ts`)],
  ...{
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  },
});
const child = spawn(process.execPath, ['--enable-source-maps', outfile, ...args], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => {
  rmSync(dir, { recursive: true });
  process.exit(code ?? 1);
});
