import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const depcruise = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const args = [
  '--config',
  '.dependency-cruiser.cjs',
  '--output-type',
  'err',
  'src',
  'consent-ui',
  'vault',
  'rs',
];

describe('the import rules between trust domains', () => {
  it('hold for the tree as it is', () => {
    execFileSync(process.execPath, [depcruise, ...args], { cwd: root, stdio: 'pipe' });
  });
});

describe('the tool that enforces them bites on a planted', () => {
  let copy: string;

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'boundaries-'));
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
      cpSync(join(root, file), join(copy, file));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    plant('src/contract/errors.ts', 'export const REFUSALS = {};');
    plant('src/clients/rs-client.ts', 'export const client = 1;');
    plant('vault/mint.ts', 'export interface Mint { readonly n: number }\nexport const mint = 1;');
    plant('rs/execute.ts', 'export const execute = 1;');
    plant('consent-ui/main.ts', 'export const page = 1;');
  });

  afterEach(() => rmSync(copy, { recursive: true, force: true }));

  function plant(path: string, text: string): void {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), `${text}\n`);
  }

  function cruise(): { status: number | null; out: string } {
    const { status, stdout } = spawnSync(process.execPath, [depcruise, ...args], {
      cwd: copy,
      encoding: 'utf8',
    });
    return { status, out: stdout };
  }

  it('nothing (the copy is clean to begin with)', () => {
    expect(cruise().status).toBe(0);
  });

  it.each([
    [
      'rs-stands-alone',
      'rs/checks/check.ts',
      "import { mint } from '../../vault/mint.js';\nexport const x = mint;",
    ],
    [
      'rs-stands-alone',
      'rs/checks/type.ts',
      "import type { Mint } from '../../vault/mint.js';\nexport type X = Mint;",
    ],
    [
      'rs-stands-alone',
      'rs/checks/src.ts',
      "import { client } from '../../src/clients/rs-client.js';\nexport const x = client;",
    ],
    [
      'vault-stands-alone',
      'vault/checks/check.ts',
      "import { execute } from '../../rs/execute.js';\nexport const x = execute;",
    ],
    [
      'consent-ui-stands-alone',
      'consent-ui/server/app.ts',
      "import { mint } from '../../vault/mint.js';\nexport const x = mint;",
    ],
    [
      'bridge-holds-no-verifier',
      'src/dispatcher/gate.ts',
      "import { mint } from '../../vault/mint.js';\nexport const x = mint;",
    ],
    [
      'contract-is-pure',
      'src/contract/now.ts',
      "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;",
    ],
    [
      'contract-is-pure',
      'src/contract/out.ts',
      "import { client } from '../clients/rs-client.js';\nexport const x = client;",
    ],
  ])('breach of %s (%s)', (rule, file, text) => {
    plant(file, text);
    const { status, out } = cruise();
    expect(out).toContain(rule);
    expect(status).not.toBe(0);
  });
});
