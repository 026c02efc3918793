/**
 * Claim: A domain with a misspelt, missing, weak or unsafe configuration ends at start with one line that names the member.
 * Enforced by: src/config.ts, consent-ui/server/config.ts, vault/config.ts, rs/config.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Domain, domainDir, readJson } from '../../src/cli/data-directory.js';
import { runDomain } from '../support/run-domain.js';

attack('each broken member stops its domain before it listens', async ({ world }) => {
  const cases: readonly [Domain, string, (config: Record<string, unknown>) => void][] = [
    [
      'vault',
      'origins',
      (c) => ((c['webauthn'] as { origins: string[] }).origins = ['http://127.0.0.1:8421']),
    ],
    ['vault', 'rp_id', (c) => ((c['webauthn'] as { rp_id: string }).rp_id = '127.0.0.1')],
    ['vault', 'polcy', (c) => (c['polcy'] = {})],
    [
      'vault',
      'public_jwk',
      (c) => ((c['clients'] as { public_jwk: { y: string } }[])[0]!.public_jwk.y = 'A'.repeat(43)),
    ],
    ['rs', 'credential_algs', (c) => (c['credential_algs'] = ['HS256'])],
    ['rs', 'commands', (c) => delete c['commands']],
    [
      'rs',
      'clients',
      (c) =>
        ((c['clients'] as { public_jwk: object }[])[0]!.public_jwk = { kty: 'oct', k: 'AAAA' }),
    ],
    ['consent-ui', 'origin', (c) => (c['origin'] = 'http://127.0.0.1:8421')],
    ['consent-ui', 'origin', (c) => (c['origin'] = 'http://consent.example.com')],
    ['consent-ui', 'auditors', (c) => (c['auditors'] = ['eve'])],
    ['bridge', 'fallback', (c) => (c['fallback'] = 'allow')],
    ['bridge', 'policy', (c) => (c['policy'] = { delete_task: { scopes: [], mode: 'no' } })],
  ];
  const data = mkdtempSync(join(tmpdir(), 'consent-bridge-broken-'));
  const outcomes = cases.map(async ([domain, member, spoil], i) => {
    const dir = join(data, String(i));
    cpSync(domainDir(world.stack.data, domain), dir, {
      recursive: true,
      filter: (file) => !/\.(db|sqlite)/.test(file),
    });
    const config = readJson(join(dir, 'config.json')) as Record<string, unknown>;
    spoil(config);
    writeFileSync(join(dir, 'config.json'), JSON.stringify(config));
    await expect
      .soft(runDomain(domain, dir, ['serve']), `${domain} ${member}`)
      .rejects.toThrow(new RegExp(`exit 1: .*${member}`));
  });
  await Promise.all(outcomes);
  rmSync(data, { recursive: true });
  expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
});
