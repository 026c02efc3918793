/**
 * Bundles the pages' scripts: one readable ES module for each page, nothing loaded from elsewhere.
 * `node consent-ui/browser/bundle.mjs [out directory]`, by default dist/consent-ui/browser.
 */
import { build } from 'esbuild';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const outdir = process.argv[2] ?? resolve(here, '../../dist/consent-ui/browser');

await build({
  entryPoints: ['consent', 'enrol', 'inbox', 'message', 'oidc-callback', 'sign-in'].map((page) =>
    join(here, `${page}.ts`),
  ),
  outdir,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'inline',
  logLevel: 'warning',
});
