import { readdirSync, readFileSync } from 'node:fs';

/** One item of test/vectors/*.json (CANONICAL.md section 6). */
export type Vector = {
  readonly name: string;
  readonly form: 1 | 2;
} & ({ readonly payload: unknown } | { readonly raw: string }) &
  (
    | { readonly canonical_hex: string; readonly sha256: string; readonly hmac_sha256?: string }
    | { readonly refused: string; readonly path: string }
  );

/** Vectors by file name without `.json`. */
export function loadVectors(): ReadonlyMap<string, readonly Vector[]> {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));
  return new Map(
    files.map((name) => [
      name.replace('.json', ''),
      JSON.parse(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')) as Vector[],
    ]),
  );
}
