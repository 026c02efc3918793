import { describe, expect, it } from 'vitest';
import { Clients, requireRole } from '../../../vault/clients.js';
import { importPublicJwk } from '../../../vault/public-key.js';
import { expectRefusal } from './support/refusals.js';
import { NOW, rawSigner } from './support/signers.js';
import { assertion, clientKeys, ISSUER } from './support/test-vault.js';

const time = { ms: NOW * 1000 };
const clients = () =>
  new Clients(
    [
      {
        clientId: 'bridge',
        publicKey: importPublicJwk(clientKeys.bridge.publicJwk),
        roles: ['mint'],
        agents: ['*'],
      },
    ],
    ISSUER,
    () => time.ms,
  );

describe('client authentication', () => {
  it('knows a client by its assertion, and again by the same one', async () => {
    const known = clients();
    const same = assertion('bridge');
    expect((await known.authenticate(same)).clientId).toBe('bridge');
    expect(await known.authenticate(same)).toBe(await known.authenticate(same));
  });

  it('forgets a verified assertion when it is over', async () => {
    const known = clients();
    const same = assertion('bridge');
    await known.authenticate(same);
    time.ms = (NOW + 66) * 1000;
    await expectRefusal(() => known.authenticate(same), 'Unauthenticated');
    time.ms = NOW * 1000;
  });

  it('does not remember what failed', async () => {
    const known = clients();
    const early = assertion('bridge', { iat: NOW + 30, exp: NOW + 60 });
    await expectRefusal(() => known.authenticate(early), 'Unauthenticated');
    time.ms = (NOW + 31) * 1000;
    await known.authenticate(early);
    time.ms = NOW * 1000;
  });

  it.each([
    ['a stranger', assertion('stranger')],
    [
      'a stranger in the name of the bridge',
      assertion('stranger', { iss: 'bridge', sub: 'bridge' }),
    ],
    ['iss that is not sub', assertion('bridge', { iss: 'consent-ui' })],
    ['another audience', assertion('bridge', { aud: 'http://127.0.0.1:8423' })],
    ['our audience with a slash', assertion('bridge', { aud: `${ISSUER}/` })],
    ['more than a minute', assertion('bridge', { exp: NOW + 61 })],
    ['an hour ago', assertion('bridge', { iat: NOW - 3600, exp: NOW - 3540 })],
    ['the future', assertion('bridge', { iat: NOW + 6, exp: NOW + 60 })],
    ['exp before iat', assertion('bridge', { iat: NOW + 3, exp: NOW + 2 })],
    ['no jti', assertion('bridge', { jti: '' })],
    ['another typ', assertion('bridge', {}, { typ: 'JWT' })],
    ['the typ of an approver', assertion('bridge', {}, { typ: 'approver-authentication+jwt' })],
    ['alg none', assertion('bridge', {}, { alg: 'none' })],
    ['alg HS256', assertion('bridge', {}, { alg: 'HS256' })],
    ['an algorithm the key is not for', assertion('bridge', {}, { alg: 'EdDSA' })],
    ['a jku', assertion('bridge', {}, { jku: 'https://evil.example' })],
    ['no signature', `${assertion('bridge').split('.').slice(0, 2).join('.')}.`],
    ['something long', 'a'.repeat(5000)],
    ['nothing', undefined],
  ])('refuses %s', async (_name, token) => {
    await expectRefusal(() => clients().authenticate(token), 'Unauthenticated');
  });

  it('allows for clocks that differ by five seconds', async () => {
    await clients().authenticate(assertion('bridge', { iat: NOW + 5, exp: NOW + 60 }));
    await clients().authenticate(assertion('bridge', { iat: NOW - 64, exp: NOW - 4 }));
  });
});

describe('roles', () => {
  it('are what the configuration gives, no more', async () => {
    const client = await clients().authenticate(assertion('bridge'));
    requireRole(client, 'ceremony', 'mint');
    await expectRefusal(() => requireRole(client, 'ceremony', 'directory'), 'Forbidden');
  });
});

describe('public keys', () => {
  it.each([
    ['a private key', { ...rawSigner('es256').publicJwk, d: 'AAAA' }],
    ['a secret', { kty: 'oct', k: 'AAAA' }],
    ['another curve', { kty: 'EC', crv: 'P-384', x: 'AA', y: 'AA' }],
    ['a point off the curve', { ...rawSigner('es256').publicJwk, y: 'A'.repeat(43) }],
    [
      'RSA with exponent 1',
      { kty: 'RSA', n: Buffer.alloc(256, 0xf1).toString('base64url'), e: 'AQ' },
    ],
    [
      'RSA of 1024 bits',
      { kty: 'RSA', n: Buffer.alloc(128, 0xf1).toString('base64url'), e: 'AQAB' },
    ],
    ['nothing', {}],
  ])('refuses %s', async (_name, jwk) => {
    await expectRefusal(() => importPublicJwk(jwk), 'MalformedRequest');
  });

  it('have the thumbprint of RFC 7638, whatever else the JWK says', () => {
    const { publicJwk, keyId } = rawSigner('eddsa');
    expect(importPublicJwk({ ...publicJwk, kid: 'x', alg: 'none', use: 'enc' }).keyId).toBe(keyId);
    // RFC 8037 appendix A.3
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    expect(importPublicJwk({ kty: 'OKP', crv: 'Ed25519', x }).keyId).toBe(
      'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    );
  });
});
