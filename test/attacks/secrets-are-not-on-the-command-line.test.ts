/**
 * Claim: No secret of a running domain can be read from the process list or its environment.
 * Enforced by: src/cli/processes.ts, src/cli/provision.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { domainDir } from '../../src/cli/data-directory.js';
import { mintKeyOf } from '../support/taken-over-vault.js';

attack(
  'arguments and environment of the four processes hold no key and no token',
  async ({ world }) => {
    const { data } = world.stack;
    const secrets = ['bridge', 'consent-ui', 'rs'].map(
      (domain) =>
        (
          JSON.parse(readFileSync(join(domainDir(data, domain as 'rs'), 'client.jwk'), 'utf8')) as {
            d: string;
          }
        ).d,
    );
    secrets.push(
      readFileSync(join(domainDir(data, 'bridge'), 'gate.key'), 'utf8').trim(),
      mintKeyOf(world.stack).jwk['d'] ?? '',
    );
    const running = readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .flatMap((pid) => {
        try {
          const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
          return args.includes(data) ? [args + readFileSync(`/proc/${pid}/environ`, 'utf8')] : [];
        } catch {
          return [];
        }
      });
    expect(running).toHaveLength(4);
    for (const text of running)
      for (const secret of secrets) expect(text.includes(secret)).toBe(false);
    expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
  },
);
