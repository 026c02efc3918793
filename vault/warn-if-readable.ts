import { statSync } from 'node:fs';

/** Says so, on `warn`, for each path that others than its owner may read. Missing paths are no concern of this. */
export function warnIfReadable(paths: readonly string[], warn: (line: string) => void): void {
  for (const path of paths) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) !== 0)
      warn(`${path} can be read by others than its owner: chmod go= ${path}`);
  }
}
