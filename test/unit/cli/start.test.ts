import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/cli/package-root.js';
import { temporaryDirectory } from './temporary-directory.js';

interface Start {
  nodeProblem(version: string, required: string): string | undefined;
  needsInstall(dir: string): boolean;
  needsBuild(dir: string): boolean;
}
let start: Start;
beforeAll(async () => {
  // Plain JavaScript without types: it runs before anything is installed.
  const file = pathToFileURL(join(packageRoot(), 'src', 'cli', 'start.mjs')).href;
  start = (await import(file)) as Start;
});

/** A file, and its directories, last changed at `seconds`. */
function touch(root: string, path: string, seconds: number): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, seconds, seconds);
  for (let dir = dirname(file); dir !== root; dir = dirname(dir)) utimesSync(dir, 1, 1);
}

function built(): string {
  const root = temporaryDirectory();
  touch(root, 'src/cli/main.ts', 100);
  touch(root, 'vault/main.ts', 100);
  touch(root, 'tsconfig.json', 100);
  touch(root, 'consent-ui/views/page.eta', 100);
  touch(root, 'dist/src/cli/main.js', 200);
  touch(root, 'dist/consent-ui/browser/page.js', 201);
  return root;
}

test.each([
  ['v20.18.1', undefined],
  ['v20.20.2', undefined],
  ['v22.0.0', undefined],
  ['v100.0.0', undefined],
  ['v20.18.0', true],
  ['v20.9.0', true],
  ['v18.20.8', true],
])('Node %s', (version, problem) => {
  const said = start.nodeProblem(version, '>=20.18.1');
  expect(said === undefined ? undefined : true).toBe(problem);
  expect(said?.split('\n').length ?? 1).toBe(1);
});

describe('needsInstall', () => {
  test.each([
    ['nothing is installed', undefined, true],
    ['installed after the lockfile changed', 200, false],
    ['installed before the lockfile changed', 50, true],
  ])('%s', (_name, installedAt, expected) => {
    const root = temporaryDirectory();
    touch(root, 'package-lock.json', 100);
    if (installedAt !== undefined) touch(root, 'node_modules/.package-lock.json', installedAt);
    expect(start.needsInstall(root)).toBe(expected);
  });
});

describe('needsBuild', () => {
  test('a build newer than every source is kept', () => {
    expect(start.needsBuild(built())).toBe(false);
  });
  test.each([
    ['a newer source', 'vault/main.ts', 300, true],
    ['a new source, deep down', 'rs/checks/check-new.ts', 300, true],
    ['a newer compiler option', 'tsconfig.json', 300, true],
    ['a newer bundling script', 'consent-ui/browser/bundle.mjs', 300, true],
    ['a newer view, which is read from the source tree', 'consent-ui/views/page.eta', 300, false],
    ['a newer note', 'src/README.md', 300, false],
  ])('%s', (_name, path, seconds, expected) => {
    const root = built();
    touch(root, path, seconds);
    expect(start.needsBuild(root)).toBe(expected);
  });
  test('a source that was removed or renamed', () => {
    const root = built();
    utimesSync(join(root, 'vault'), 300, 300);
    expect(start.needsBuild(root)).toBe(true);
  });
  test('a compiler that failed: no bundle was written after it', () => {
    const root = built();
    touch(root, 'vault/main.ts', 300);
    touch(root, 'dist/src/cli/main.js', 301);
    expect(start.needsBuild(root)).toBe(true);
  });
  test('no bundle at all', () => {
    const root = temporaryDirectory();
    touch(root, 'dist/src/cli/main.js', 200);
    expect(start.needsBuild(root)).toBe(true);
  });
});
