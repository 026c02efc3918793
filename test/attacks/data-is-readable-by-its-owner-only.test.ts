/**
 * Claim: Every file of every domain is its owner’s alone, and no domain’s directory holds another’s key.
 * Enforced by: src/cli/provision.ts, src/store/database.ts, consent-ui/server/store/database.ts, vault/store/open.ts, rs/store/open-store.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DOMAINS, domainDir } from '../../src/cli/data-directory.js';

attack(
  'files are 0600, directories 0700, private keys each in one directory',
  async ({ world }) => {
    expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
    const { data } = world.stack;
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(data)).toBe('700');
    const keys = new Map<string, string[]>();
    for (const domain of DOMAINS) {
      const dir = domainDir(data, domain);
      expect(mode(dir), domain).toBe('700');
      for (const name of readdirSync(dir)) {
        expect(mode(join(dir, name)), `${domain}/${name}`).toBe('600');
        const text = readFileSync(join(dir, name), 'latin1');
        for (const [, d = ''] of text.matchAll(/"d"\s*:\s*"([\w-]+)"/g))
          keys.set(d, [...new Set([...(keys.get(d) ?? []), domain])]);
      }
    }
    expect(keys.size).toBeGreaterThanOrEqual(4);
    for (const domains of keys.values()) expect(domains).toHaveLength(1);
  },
);
