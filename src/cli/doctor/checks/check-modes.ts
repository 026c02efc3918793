import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../finding.js';
import { orOk, wrong } from '../finding.js';

/** Nobody but the owner can read or change anything in the data directory: keys, sessions and stores lie there. */
export function checkModes(data: string): readonly Finding[] {
  if (!statSync(data, { throwIfNoEntry: false }))
    return [wrong(`there is no data directory ${data}`, `bridge up --data ${data}`)];
  const shared = [
    data,
    ...readdirSync(data, { recursive: true }).map((name) => join(data, String(name))),
  ]
    .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
    .map((path) => wrong(`other users can reach ${path}`, `chmod go= ${path}`));
  return orOk(shared, `only you can read ${data}`);
}
