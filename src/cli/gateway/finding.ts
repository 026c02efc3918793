/** One thing that is wrong with a configuration file, where, and what to do about it. */
export interface Finding {
  readonly path: readonly PropertyKey[];
  readonly problem: string;
  readonly fix: string;
}

/** The same with its place in the file; both count from 1. */
export interface Placed extends Finding {
  readonly line: number;
  readonly column: number;
}

export class ConfigError extends Error {
  constructor(
    readonly file: string,
    readonly findings: readonly Placed[],
  ) {
    super(findings.map((finding) => lineOf(file, finding)).join('\n'));
  }
}

function lineOf(file: string, { line, column, path, problem, fix }: Placed): string {
  const at = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
  return `${file}:${line}:${column}: ${at}${problem}\n  fix: ${fix}`;
}
