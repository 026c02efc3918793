import type { JsonWebKey } from 'node:crypto';
import { generateKeyPairSync } from 'node:crypto';
import { type JWK, SignJWT, importJWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateJwk, publicJwk } from '../../../src/cli/jwk.js';
import { AccessTokens } from '../../../src/oauth/access-token.js';
import type { IssuerConfig } from '../../../src/oauth/config.js';
import { IssuerKeys } from '../../../src/oauth/issuer-keys.js';

const NOW = 1_800_000_000;
const RESOURCE = 'https://bridge.example/mcp';
const ISSUER = 'https://as.example';
const CLAIMS = {
  ...{ iss: ISSUER, sub: 'alice', client_id: 'agent', aud: RESOURCE, jti: 'j', scope: 'a b' },
  ...{ iat: NOW, exp: NOW + 300 },
};
const es256 = generateJwk('ES256') as JsonWebKey;
const ed25519 = generateJwk('EdDSA') as JsonWebKey;
const rsaPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsa = rsaPair.privateKey.export({ format: 'jwk' });
const rsaPublic = rsaPair.publicKey.export({ format: 'jwk' });
let published: object[];

beforeAll(() => {
  published = [
    { ...publicJwk(es256), kid: 'e' },
    { ...publicJwk(ed25519), kid: 'o' },
    { ...rsaPublic, kid: 'r' },
  ];
});

function tokens(config: Partial<IssuerConfig> = {}, keys = published): AccessTokens {
  const clock = (): number => NOW * 1000;
  const issuer = {
    config: { issuer: ISSUER, ...config },
    keys: new IssuerKeys(() => Promise.resolve({ keys }), clock),
  };
  return new AccessTokens(RESOURCE, [issuer], clock);
}

async function made(
  claims: object = {},
  header: { kid?: string; alg?: string; typ?: string } = {},
  key: JsonWebKey = es256,
): Promise<string> {
  const { alg = 'ES256', kid = 'e', typ = 'at+jwt' } = header;
  return new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg, typ, ...(kid === '' ? {} : { kid }) })
    .sign(await importJWK(key as JWK, alg));
}

async function verdict(of: AccessTokens, token: string): Promise<string> {
  try {
    const { caller } = await of.verify(token);
    return `${caller.subject} ${caller.client_id} ${caller.scopes.join(',')}`;
  } catch (error) {
    const { code, detail } = error as { code: string; detail: string };
    return `${code} ${detail.replace('access token: ', '')}`;
  }
}

describe('an access token', () => {
  it('names the caller', async () => {
    expect(await verdict(tokens(), await made())).toBe('alice agent a,b');
    expect(await verdict(tokens(), await made({ scope: undefined }))).toBe('alice agent ');
    const long = await made({}, { typ: 'application/at+jwt' });
    expect(await verdict(tokens(), long)).toBe('alice agent a,b');
  });

  it.each([
    ['EdDSA', 'o', ed25519],
    ['RS256', 'r', rsa],
    ['PS256', 'r', rsa],
  ] as const)('may be signed %s', async (alg, kid, key) => {
    expect(await verdict(tokens(), await made({}, { alg, kid }, key))).toBe('alice agent a,b');
  });

  it('may be signed only as its issuer is configured', async () => {
    const only = tokens({ algorithms: ['EdDSA'] });
    expect(await verdict(only, await made())).toBe('Unauthenticated alg');
    const rs384 = await made({}, { alg: 'RS384', kid: 'r' }, rsa);
    expect(await verdict(tokens(), rs384)).toBe('Unauthenticated alg');
  });

  it('may leave out the key id only where there is one key', async () => {
    const bare = await made({}, { kid: '' });
    expect(await verdict(tokens(), bare)).toBe('Unauthenticated kid');
    const one = tokens({}, [{ ...publicJwk(es256), kid: 'e' }]);
    expect(await verdict(one, bare)).toBe('alice agent a,b');
  });

  it('is no good under an encryption key, or one published for another algorithm', async () => {
    const token = await made();
    for (const member of [{ use: 'enc' }, { alg: 'ES384' }, { key_ops: ['sign'] }]) {
      const only = tokens({}, [{ ...publicJwk(es256), kid: 'e', ...member }]);
      expect(await verdict(only, token)).toMatch(/^Unauthenticated /);
    }
  });

  it('may be up to a minute ahead of our clock, and has not a second after its end', async () => {
    const ahead = await made({ iat: NOW + 60, nbf: NOW + 60 });
    expect(await verdict(tokens(), ahead)).toBe('alice agent a,b');
    expect(await verdict(tokens(), await made({ iat: NOW + 61 }))).toBe('Unauthenticated iat');
    expect(await verdict(tokens(), await made({ exp: NOW }))).toBe('Unauthenticated exp');
    expect(await verdict(tokens(), await made({ exp: NOW + 1 }))).toBe('alice agent a,b');
  });

  it('may name the audiences the operator listed beside this one', async () => {
    const token = await made({ aud: [RESOURCE, `${ISSUER}/userinfo`] });
    expect(await verdict(tokens(), token)).toBe('Unauthenticated aud');
    const listed = tokens({ other_audiences: [`${ISSUER}/userinfo`] });
    expect(await verdict(listed, token)).toBe('alice agent a,b');
    const alone = await made({ aud: `${ISSUER}/userinfo` });
    expect(await verdict(listed, alone)).toMatch(/^Unauthenticated /);
  });

  it('names the caller by the claims and in the namespace the operator says', async () => {
    const mapped = tokens({ subject_claim: 'email', client_claim: 'azp', namespace: 'x:' });
    const claims = { email: 'a@b.c', azp: 'app' };
    expect(await verdict(mapped, await made(claims))).toBe('Unauthenticated email_verified');
    const verified = await made({ ...claims, email_verified: true });
    expect(await verdict(mapped, verified)).toBe('x:a@b.c x:app a,b');
  });

  it.each([
    ['', 'shape'],
    ['a.b', 'shape'],
    ['a.b.c.d', 'shape'],
    ['e30.e30.AA', 'header'],
    [`${'a'.repeat(9000)}.b.c`, 'shape'],
  ])('is not %j', async (text, reason) => {
    expect(await verdict(tokens(), text)).toBe(`Unauthenticated ${reason}`);
  });

  it('has one spelling', async () => {
    const [head = '', body = '', signature = ''] = (await made()).split('.');
    const twice = Buffer.from(
      Buffer.from(head, 'base64url').toString().replace('{', '{"typ":"at+jwt",'),
    ).toString('base64url');
    expect(await verdict(tokens(), `${twice}.${body}.${signature}`)).toBe('Unauthenticated json');
    expect(await verdict(tokens(), `${head}=.${body}.${signature}`)).toMatch(/base64url/);
  });
});
