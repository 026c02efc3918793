import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../vault/config.js';
import { configFile, dataDirectory } from './support/test-vault.js';

const { webauthn, clients } = configFile();
const [bridge] = clients;

describe('config.json', () => {
  it('is taken as it is written', () => {
    const config = loadConfig(dataDirectory());
    expect(config).toMatchObject({ issuer: 'http://127.0.0.1:8422', max_ttl_seconds: 600 });
    expect(config.clients.map(({ clientId }) => clientId)).toEqual(['bridge', 'consent-ui', 'rs']);
  });

  it('may name a parent domain as relying party', () => {
    const origins = ['https://consent.example.com', 'https://example.com'];
    loadConfig(dataDirectory({ webauthn: { ...webauthn, rp_id: 'example.com', origins } }));
  });

  it.each([
    [
      'an rp_id that is an IP address',
      { webauthn: { ...webauthn, rp_id: '127.0.0.1' } },
      /: webauthn\.rp_id .*use localhost/,
    ],
    [
      'an origin on an IP address',
      { webauthn: { ...webauthn, origins: ['http://127.0.0.1:8421'] } },
      /: webauthn\.origins\[0\] .*use localhost/,
    ],
    [
      'an origin on an IPv6 address',
      { webauthn: { ...webauthn, origins: ['http://[::1]:8421'] } },
      /: webauthn\.origins\[0\] .*use localhost/,
    ],
    [
      'an origin elsewhere',
      { webauthn: { ...webauthn, origins: ['https://evil.example'] } },
      /: webauthn\.origins /,
    ],
    [
      'an origin that ends like ours',
      { webauthn: { ...webauthn, origins: ['https://evillocalhost'] } },
      /: webauthn\.origins /,
    ],
    ['an issuer with a slash', { issuer: 'http://127.0.0.1:8422/' }, /: issuer /],
    ['an unknown member', { ttl: 1 }, /: ttl /],
    ['no audiences', { audiences: [] }, /: audiences /],
    ['a lifetime in words', { max_ttl_seconds: '600' }, /: max_ttl_seconds /],
    ['a symmetric algorithm', { credential_alg: 'HS256' }, /: credential_alg /],
    [
      'mint without agents',
      { clients: [{ ...bridge, agents: undefined }] },
      /: clients\[0\]\.agents /,
    ],
    [
      'a private key',
      { clients: [{ ...bridge, public_jwk: { ...bridge?.public_jwk, d: 'AA' } }] },
      /: clients\[0\]\.public_jwk /,
    ],
    [
      'an unknown role',
      { clients: [{ ...bridge, roles: ['admin'] }] },
      /: clients\[0\]\.roles\[0\] /,
    ],
    ['a client twice', { clients: [bridge, bridge] }, /: clients /],
    [
      'a star in the middle',
      { policy: { default: [], commands: { 'a*b': [] } } },
      /: policy\.commands/,
    ],
  ])('%s is refused with one line that names it', (_name, changes, line) => {
    const directory = dataDirectory(changes);
    const load = () => loadConfig(directory);
    expect(load).toThrow(line);
    expect(load).toThrow(/^[^\n]+$/);
  });

  it('must exist and be JSON that can be read in one way', () => {
    expect(() => loadConfig(join(tmpdir(), 'no-such-vault'))).toThrow(/config\.json/);
    const directory = dataDirectory();
    writeFileSync(join(directory, 'config.json'), '{"issuer":1,"issuer":2}');
    expect(() => loadConfig(directory)).toThrow(/config\.json/);
  });
});
