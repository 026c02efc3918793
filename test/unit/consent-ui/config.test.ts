import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceClients } from '../../../consent-ui/server/clients.js';
import { ConfigError, loadClientKey, loadConfig } from '../../../consent-ui/server/config.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const GOOD = {
  origin: 'http://localhost:8421',
  listen: { host: '127.0.0.1', port: 8421 },
  vault: { url: 'http://127.0.0.1:8422', issuer: 'http://127.0.0.1:8422' },
  client: { client_id: 'consent-ui', private_jwk_file: 'client.jwk' },
  clients: [
    { client_id: 'bridge', public_jwk: publicKey.export({ format: 'jwk' }), roles: ['propose'] },
  ],
  session_ttl_seconds: 28_800,
  auditors: [],
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'consent-ui-config-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(config: unknown): void {
  writeFileSync(join(dir, 'config.json'), JSON.stringify(config));
}

describe('the configuration', () => {
  it('is taken as it is written', () => {
    write(GOOD);
    expect(loadConfig(dir)).toEqual(GOOD);
  });

  it.each([
    ['origin', { origin: 'http://localhost:8421/' }],
    ['origin', { origin: 'http://consent.example.com' }],
    ['origin', { origin: 'javascript:alert(1)' }],
    ['listen', { listen: { host: '127.0.0.1' } }],
    ['session_ttl_seconds', { session_ttl_seconds: '60' }],
    ['auditors', { auditors: ['eve'] }],
    ['clients', { clients: [{ client_id: 'x', public_jwk: {}, roles: ['mint'] }] }],
    ['extra', { extra: true }],
  ])('with a wrong %s is refused in one line that names it', (member, change) => {
    write({ ...GOOD, ...change });
    expect(() => loadConfig(dir)).toThrow(ConfigError);
    expect(() => loadConfig(dir)).toThrow(new RegExp(`^[^\\n]*${member}[^\\n]*$`));
  });

  it.each(['http://127.0.0.1:8421', 'https://192.168.1.5', 'http://[::1]:8421'])(
    'with the IP address %s as origin is refused and suggests localhost',
    (origin) => {
      write({ ...GOOD, origin });
      expect(() => loadConfig(dir)).toThrow(/localhost/);
    },
  );

  it('needs a private P-256 key of its own', () => {
    write(GOOD);
    const config = loadConfig(dir);
    expect(() => loadClientKey(dir, config)).toThrow(ConfigError);
    writeFileSync(join(dir, 'client.jwk'), JSON.stringify(publicKey.export({ format: 'jwk' })));
    expect(() => loadClientKey(dir, config)).toThrow(/private EC P-256/);
    writeFileSync(join(dir, 'client.jwk'), JSON.stringify(privateKey.export({ format: 'jwk' })));
    expect(loadClientKey(dir, config).type).toBe('private');
  });

  it('takes no private or other key of a client', () => {
    const bad = [privateKey, generateKeyPairSync('ed25519').publicKey].map((key) => ({
      client_id: 'bridge',
      public_jwk: { ...key.export({ format: 'jwk' }) } as Record<string, string>,
      roles: ['propose' as const],
    }));
    for (const client of bad) {
      expect(() => new ServiceClients([client], GOOD.origin, Date.now)).toThrow(ConfigError);
    }
  });
});
