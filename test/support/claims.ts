/** The table of claims in SECURITY.md, made from the headers of the attack tests so that neither can drift. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Claim {
  readonly test: string;
  readonly claim: string;
  readonly enforcedBy: readonly string[];
}

/** Every file in test/attacks, by name. @throws when one does not begin with its claim and what enforces it */
export function claims(): Claim[] {
  return readdirSync(join(ROOT, 'test/attacks'))
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(ROOT, 'test/attacks', name), 'utf8');
      const header = /^\/\*\*\n \* Claim: (.+?)\n \* Enforced by: (.+?)\n \*\//s.exec(text);
      if (header === null) throw new Error(`test/attacks/${name} does not begin with its claim`);
      const [, claim = '', enforced = ''] = header.map((part) => part.replaceAll('\n * ', ' '));
      return { test: `test/attacks/${name}`, claim, enforcedBy: enforced.split(', ') };
    });
}

export function claimsTable(): string {
  const rows = claims().map(({ test, claim, enforcedBy }) => {
    const files = enforcedBy.map((file) => `[\`${file}\`](${file})`).join(', ');
    const name = test.replace('test/attacks/', '').replace('.test.ts', '');
    return `| ${claim} | ${files} | [${name}](${test}) |`;
  });
  return ['| claim | enforced by | attack test |', '| --- | --- | --- |', ...rows].join('\n');
}
