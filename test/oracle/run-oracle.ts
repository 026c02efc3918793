import { spawnSync } from 'node:child_process';

export type OracleRequest =
  | { readonly payload: unknown }
  | { readonly raw: string }
  | { readonly value: unknown; readonly form: 1 | 2 };

export type OracleAnswer =
  | { readonly canonical_hex: string; readonly sha256: string; readonly hmac_sha256?: string }
  | { readonly refused: string; readonly path: string };

export const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.log('python3 is not installed: the second implementation is not compared');

/** Answers of test/oracle/canonical.py, in the order of the requests; one process for all of them. */
export function askOracle(requests: readonly OracleRequest[]): OracleAnswer[] {
  const { status, stdout, stderr } = spawnSync(
    'python3',
    ['-B', `${import.meta.dirname}/canonical.py`],
    {
      input: requests.map((request) => JSON.stringify(request)).join('\n'),
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    },
  );
  if (status !== 0) throw new Error(`the oracle failed: ${stderr}`);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as OracleAnswer);
}
