import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/contract/json.js';
import { oauthConfig } from '../../../src/oauth/config.js';
import { discover, endpoint, metadataUrls } from '../../../src/oauth/issuer-metadata.js';
import { ProtectedResource } from '../../../src/oauth/protected-resource.js';

const answering = (documents: Record<string, JsonValue>) => ({
  get: (url: string) => Promise.resolve(documents[url]),
});

describe('an issuer’s metadata', () => {
  it('is where RFC 8414 and OpenID Connect Discovery put it', () => {
    expect(metadataUrls('https://as.example/realms/x/')).toEqual([
      'https://as.example/.well-known/oauth-authorization-server/realms/x',
      'https://as.example/realms/x/.well-known/openid-configuration',
    ]);
    expect(metadataUrls('https://as.example')[0]).toBe(
      'https://as.example/.well-known/oauth-authorization-server',
    );
  });

  it('is taken from the first place that has any, and must name the issuer', async () => {
    const issuer = 'https://as.example';
    const [first = '', second = ''] = metadataUrls(issuer);
    const good = { issuer, jwks_uri: 'https://as.example/jwks' };
    expect((await discover(issuer, answering({ [second]: good }))).jwks_uri).toBe(good.jwks_uri);
    await expect(discover(issuer, answering({}))).rejects.toThrow('no metadata');
    for (const said of [`${issuer}/`, 'https://evil.example']) {
      const documents = { [first]: { ...good, issuer: said }, [second]: good };
      await expect(discover(issuer, answering(documents))).rejects.toThrow('another issuer');
    }
  });

  it('leads nowhere without TLS', () => {
    const issuer = 'https://as.example';
    for (const jwks_uri of ['http://as.example/jwks', 'http://127.0.0.1/jwks', 'file:///x', ''])
      expect(() => endpoint({ issuer, jwks_uri }, 'jwks_uri')).toThrow('must be https');
    const local = { issuer: 'http://127.0.0.1:1', token_endpoint: 'http://127.0.0.1:1/token' };
    expect(endpoint(local, 'token_endpoint')).toBe(local.token_endpoint);
  });
});

describe('the oauth member of config.json', () => {
  const resource = 'https://bridge.example/mcp';
  const parse = (change: object) =>
    oauthConfig.safeParse({ resource, issuers: [{ issuer: 'https://as.example' }], ...change });

  it.each([
    { issuers: [] },
    { issuers: [{ issuer: 'http://as.example' }] },
    { issuers: [{ issuer: 'https://as.example?x' }] },
    { issuers: [{ issuer: 'https://u:p@as.example' }] },
    { issuers: [{ issuer: 'https://as.example', algorithms: ['HS256'] }] },
    { issuers: [{ issuer: 'https://as.example', algorithms: ['none'] }] },
    { issuers: [{ issuer: 'https://as.example', jwks_uri: 'http://as.example/jwks' }] },
    { issuers: [{ issuer: 'https://a.example' }, { issuer: 'https://b.example' }] },
    { resource: 'http://bridge.example/mcp' },
    { resource: `${resource}#x` },
    { scopes_supported: ['a b'] },
    { local_token: true },
  ])('refuses %j', (change) => {
    expect(parse({}).success).toBe(true);
    expect(parse(change).success).toBe(false);
  });

  it('makes the challenges', () => {
    const config = oauthConfig.parse({
      ...{ resource: 'https://bridge.example/x/mcp', issuers: [{ issuer: 'https://as.example' }] },
    });
    const resource = new ProtectedResource(config, ['b', 'a', 'a', 'no"token']);
    const where = 'https://bridge.example/.well-known/oauth-protected-resource/x/mcp';
    expect(resource.metadataPaths[0]).toBe(new URL(where).pathname);
    expect(resource.unauthenticated(false)).toBe(
      `Bearer scope="a b", resource_metadata="${where}"`,
    );
    expect(resource.insufficientScope(['a', 'openid'], ['c'])).toBe(
      `Bearer error="insufficient_scope", scope="a c", resource_metadata="${where}", error_description="This tool needs more scopes"`,
    );
  });
});
