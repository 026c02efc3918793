/**
 * Loads TypeScript for the mutants as Node loads any module, and as often as needed: Node keeps each module it loaded
 * under its URL, so a URL here says which load it belongs to. `s` counts those of the production code, one more for each
 * mutant in what a module does when it is loaded; `t` those of the tests, one more for each mutant.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** Instead of packages: the same names, made for running the same few tests thousands of times in one process. */
const STAND_INS = new Map([
  ['vitest', new URL('vitest.mjs', import.meta.url).href],
  ['fast-check', new URL('few-cases.mjs', import.meta.url).href],
]);

let root = '';
const transformed = new Map();

export function initialize(data) {
  ({ root } = data);
}

export function resolve(specifier, context, next) {
  const standIn = STAND_INS.get(specifier);
  // The stand-ins use the real ones.
  if (standIn !== undefined && context.parentURL !== standIn) {
    return { url: standIn, format: 'module', shortCircuit: true };
  }
  if (specifier.startsWith(root)) return { url: specifier, format: 'module', shortCircuit: true };
  if (!specifier.startsWith('.') || !isOurs(context.parentURL)) return next(specifier, context);
  const parent = new URL(context.parentURL);
  const url = new URL(specifier, parent);
  url.pathname = url.pathname.replace(/\.js$/, '.ts');
  if (!url.pathname.endsWith('.ts') || !existsSync(fileURLToPath(url)))
    return next(specifier, context);
  const load = new URLSearchParams(parent.search);
  if (!url.href.startsWith(`${root}test/`)) load.delete('t');
  url.search = load.toString();
  return { url: url.href, format: 'module', shortCircuit: true };
}

export async function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!isOurs(url) || !pathname.endsWith('.ts')) return next(url, context);
  const file = fileURLToPath(`file://${pathname}`);
  if (!transformed.has(file)) transformed.set(file, await plainJavaScript(file));
  return { format: 'module', source: transformed.get(file), shortCircuit: true };
}

function isOurs(url) {
  return url?.startsWith(root) && !url.includes('/node_modules/');
}

async function plainJavaScript(file) {
  const { code } = await transform(readFileSync(file, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  return code;
}
