/** Runs the server scenarios of one version of `@modelcontextprotocol/conformance` against one URL. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { installed } from '../support/installed.mjs';
import { node22 } from '../support/node22.mjs';

/** A version of the suite with the protocol revision it is used for. Extensions (tasks, skills) are not among them. */
export interface Suite {
  readonly version: string;
  readonly revision: Revision;
}
export type Revision = '2025-11-25' | '2026-07-28';

export const SUITES: readonly Suite[] = [
  { version: '0.1.16', revision: '2025-11-25' },
  { version: '0.2.0-alpha.12', revision: '2025-11-25' },
  { version: '0.2.0-alpha.12', revision: '2026-07-28' },
];

const checks = z.array(
  z.looseObject({
    id: z.string(),
    name: z.string().optional(),
    status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
    errorMessage: z.string().optional(),
  }),
);
export type Check = z.infer<typeof checks>[number];
/** Checks by scenario. */
export type Results = ReadonlyMap<string, readonly Check[]>;

/** @param scenario only this one */
export async function runSuite(suite: Suite, url: string, scenario?: string): Promise<Results> {
  const output = mkdtempSync(join(tmpdir(), 'conf-results-'));
  try {
    const home = await installed('@modelcontextprotocol/conformance', suite.version);
    const node = await node22();
    const which = scenario === undefined ? ['--suite', 'all'] : ['--scenario', scenario];
    const program = [join(home, 'dist', 'index.js'), 'server', '--spec-version', suite.revision];
    await run(node, [...program, '--url', url, '--output-dir', output, ...which]);
    return resultsIn(output);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** Whatever its exit code: what failed is in its files. */
function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', cwd: tmpdir() });
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}

function resultsIn(directory: string): Results {
  const found = new Map<string, readonly Check[]>();
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const scenario =
      /^(?:.*[\\/])?(?:server-)?([\w-]+?)-\d{4}-\d\d-\d\dT[^\\/]*[\\/]checks\.json$/.exec(
        entry,
      )?.[1];
    if (scenario === undefined) continue;
    found.set(scenario, checks.parse(JSON.parse(readFileSync(join(directory, entry), 'utf8'))));
  }
  if (found.size === 0) throw new Error('the conformance runner left no results');
  return found;
}
