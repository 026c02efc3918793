import { readFileSync } from 'node:fs';

/** The version in package.json, whether run from the sources or from dist. */
export const version = readVersion();

function readVersion(): string {
  for (const up of ['..', '../..']) {
    try {
      const text = readFileSync(new URL(`${up}/package.json`, import.meta.url), 'utf8');
      return (JSON.parse(text) as { version: string }).version;
    } catch {
      // one level further up
    }
  }
  throw new Error('package.json not found');
}
