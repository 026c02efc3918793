import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.js';
import type { Finding } from '../finding.js';
import { ok, wrong } from '../finding.js';

/** This Node is at least the one package.json asks for. */
export function checkNode(version = process.versions.node): readonly Finding[] {
  const { engines } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const need = engines.node.replace(/^>=/, '');
  return version.localeCompare(need, undefined, { numeric: true }) >= 0
    ? [ok(`Node ${version}`)]
    : [
        wrong(
          `Node ${version} is older than ${need}`,
          'install a newer one from https://nodejs.org',
        ),
      ];
}
