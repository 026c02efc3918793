/**
 * JSON web signatures and keys others have published: the examples of RFC 7515 (appendix A.3), RFC 8037 (appendix A) and
 * RFC 7638, and what Wycheproof's JWS and JWK sets do to such a token. A token of ours has a `typ` and a claims object,
 * which no published one has, so the examples are verified by the parts, and Wycheproof's changes are made to a token
 * that the vault and the resource server both take.
 */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeBase64url, parseJws } from '../../../rs/jws.js';
import { loadPublicKey } from '../../../rs/public-key.js';
import { verifySignature as rsVerifies } from '../../../rs/signature-algorithms.js';
import type { JsonObject } from '../../../src/contract/json.js';
import { readJws } from '../../../vault/jws.js';
import { importPublicJwk, verifySignature as vaultVerifies } from '../../../vault/public-key.js';
import { b64, jws, keyPair, rawSign } from '../rs/keys.js';

describe('published examples', () => {
  test.each([
    [
      'RFC 7515 appendix A.3',
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      },
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q',
    ],
    [
      'RFC 8037 appendix A.4',
      { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
      'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    ],
    [
      'Wycheproof json_web_signature, group es256',
      {
        kty: 'EC',
        crv: 'P-256',
        x: '04N0xi21hshyvBp7I167sbE_bXqyqkAPfefdklMO7wY',
        y: 'UI8exy-C06a7DUnjIdENkxeFtHM4-l_41LqEw9nVgmw',
      },
      'eyJhbGciOiJFUzI1NiIsImtpZCI6ImtpZC1lYy1zaWduIn0.Zm9v.5cA0OHyMP7ezamUd5c9kV-FrGxdx4hbGXOdplQkutrqWrte5P-pAvsE3Ve6xSyU3YDQwUHjVVOtvcrEbbnZ8yA',
    ],
  ])('%s', async (_name, jwk, token) => {
    const [header, payload, made] = token.split('.') as [string, string, string];
    const signature = decodeBase64url(made);
    const verdicts = (input: string) => {
      const bytes = Buffer.from(input);
      return Promise.all([
        vaultVerifies(importPublicJwk(jwk), bytes, signature, 'ieee-p1363'),
        rsVerifies(loadPublicKey(jwk), bytes, signature, 'raw'),
      ]);
    };
    expect(await verdicts(`${header}.${payload}`)).toEqual([true, true]);
    expect(await verdicts(`${header}.${payload}A`)).toEqual([false, false]);
    expect(await verdicts(`${payload}.${header}`)).toEqual([false, false]);
  });

  test.each([
    [
      'RFC 7638 section 3.1',
      {
        kty: 'RSA',
        n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
        e: 'AQAB',
        alg: 'RS256',
      },
      'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
    ],
    [
      'RFC 8037 appendix A.3',
      { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
      'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    ],
  ])('thumbprint of %s', (_name, jwk: JsonObject, thumbprint) => {
    expect(importPublicJwk(jwk).keyId).toBe(thumbprint);
    expect(loadPublicKey(jwk).keyId).toBe(thumbprint);
  });
});

/** The order of P-256's base point. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const octets = (value: bigint, length = 32): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex');

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The same octets in other letters: one of the bits that no octet uses is set. */
function otherSpelling(text: string): string {
  return text.slice(0, -1) + ALPHABET[ALPHABET.indexOf(text.at(-1)!) + 1]!;
}

describe("Wycheproof's changes to a token", () => {
  const key = keyPair('ES256');
  const stranger = keyPair('ES256');
  const honestHeader = { alg: 'ES256', typ: 'at+jwt', kid: key.keyId };
  const token = jws(key, honestHeader, { foo: 'bar' });
  const [header, payload, made] = token.split('.') as [string, string, string];
  const signature = Buffer.from(made, 'base64url');
  const [r, s] = [0, 32].map((at) => BigInt(`0x${signature.toString('hex', at, at + 32)}`)) as [
    bigint,
    bigint,
  ];
  const withSignature = (bytes: Uint8Array): string => `${header}.${payload}.${b64(bytes)}`;
  const signed = (input: string): string => `${input}.${b64(rawSign(key, Buffer.from(input)))}`;
  const withHeader = (more: object): string => jws(key, { ...honestHeader, ...more }, {});

  const vaultTakes = async (text: string): Promise<boolean> => {
    const vaultKey = importPublicJwk({ ...key.jwk } as JsonObject);
    return readJws(text, 'at+jwt', 'MalformedCredential').isBy(vaultKey);
  };
  const rsTakes = (text: string): Promise<boolean> => {
    const parsed = parseJws(text);
    const rsKey = loadPublicKey(key.jwk);
    return parsed.header.alg === rsKey.algorithm && parsed.header.kid === rsKey.keyId
      ? rsVerifies(rsKey, parsed.signingInput, parsed.signature, 'raw')
      : Promise.resolve(false);
  };
  /** Refused means thrown at or not verified, never anything else. */
  const taken = async (takes: (text: string) => Promise<boolean>, text: string) => {
    try {
      return await takes(text);
    } catch (error) {
      expect((error as Error).name).toMatch(/^(?:Refusal|JwsError)$/);
      return false;
    }
  };

  test.each([
    ['acceptsValid', token],
    ['validSpacesInJsonHeader', signed(`${b64(JSON.stringify(honestHeader, null, 1))}.${payload}`)],
  ])('%s', async (_name, text) => {
    expect(await taken(vaultTakes, text)).toBe(true);
    expect(await taken(rsTakes, text)).toBe(true);
  });

  const secret = JSON.stringify(key.jwk);
  const hs256 = `${b64(JSON.stringify({ ...honestHeader, alg: 'HS256' }))}.${payload}`;
  const specials = { zero: 0n, one: 1n, 'n-1': N - 1n, n: N };

  test.each([
    ['rejectsModifiedSignature', withSignature(Buffer.from(signature).fill(1, 0, 1))],
    ['rejectsMissingSignature', `${header}.${payload}.`],
    ['rejectsMissingSignatureAndSeparator', `${header}.${payload}`],
    ['rejectsModifiedPayload', `${header}.${b64('{"foo":"baz"}')}.${made}`],
    ['rejectsMissingPayload', `${header}..${made}`],
    ['rejectsMissingPayloadAndSeparator', `${header}.${made}`],
    [
      'rejectsModifiedHeader',
      token.replace(header, b64(JSON.stringify({ ...honestHeader, kid: 'X' }))),
    ],
    ['rejectsMissingHeader', `.${payload}.${made}`],
    ['rejectsMissingHeaderAndSeparator', `${payload}.${made}`],
    ['rejectsMissingHeaderAndSignature', `.${payload}.`],
    ['rejectsMissingHeaderSignatureAndSeparators', payload],
    ['rejectsEmptyString', ''],
    ['a fourth part', `${token}.${made}`],
    [
      'rejectsSymmetryConfusion',
      `${hs256}.${createHmac('sha256', secret).update(hs256).digest('base64url')}`,
    ],
    ['algNone', `${b64(JSON.stringify({ ...honestHeader, alg: 'none' }))}.${payload}.`],
    [
      'rejectsAttackerProvidedEmbeddedJwk',
      jws(stranger, { ...honestHeader, jwk: stranger.jwk }, {}),
    ],
    ['embeddedJwkOfOurOwnKey', withHeader({ jwk: key.jwk })],
    ['crit', withHeader({ crit: ['exp'] })],
    ['b64 false', withHeader({ b64: false })],
    ['another key', jws(stranger, honestHeader, {})],
    ['mismatchedAlg', withHeader({ alg: 'ES512' })],
    ['algInLowerCase', withHeader({ alg: 'es256' })],
    ['EdDSA for a key of P-256', withHeader({ alg: 'EdDSA' })],
    ['spacesInHeader', `${header}    .${payload}.${made}`],
    ['spacesInPayload', `${header}.    ${payload}.${made}`],
    ['rejectsSpacesInMac', `${header}.${payload}.    ${made}`],
    ['invalidCharactersInHeader', `${header}####.${payload}.${made}`],
    [
      'invalidCharacterInsertedInHeader',
      `${header.slice(0, 9)}?${header.slice(9)}.${payload}.${made}`,
    ],
    ['invalidCharacterInsertedInPayload', `${header}.${payload}?.${made}`],
    ['rejectsInvalidCharacterInsertedInMac', `${header}.${payload}.${made}?`],
    ['padding', `${token}==`],
    ['the other alphabet', `${header}.${payload}.+/${made.slice(2)}`],
    ['a newline after it', `${token}\n`],
    [
      'modifiedUnusedBitsInHeader',
      signed(`${otherSpelling(b64(` ${JSON.stringify(honestHeader)}`))}.${payload}`),
    ],
    ['modifiedUnusedBitsInPayload', signed(`${header}.${otherSpelling(b64('{"a":12}'))}`)],
    ['modifiedUnusedBitsInSignature', `${header}.${payload}.${otherSpelling(made)}`],
    ['SignatureTooLong', withSignature(Buffer.concat([octets(r, 33), octets(s, 33)]))],
    [
      'TrailingZeros',
      withSignature(Buffer.concat([octets(r), Buffer.alloc(1), octets(s), Buffer.alloc(1)])),
    ],
    ['a zero after it', withSignature(Buffer.concat([signature, Buffer.alloc(1)]))],
    ['RisTooBig', withSignature(Buffer.concat([octets(r + N, 33), octets(s, 33)]))],
    ['SisTooBig', withSignature(Buffer.concat([octets(r, 33), octets(s + N, 33)]))],
    ['BufferOverflow', withSignature(Buffer.alloc(1024))],
    ['DER instead of r and s', withSignature(Buffer.from(`3006020101020101`, 'hex'))],
    ...Object.entries(specials).flatMap(([rName, rValue]) =>
      Object.entries(specials).map(([sName, sValue]): [string, string] => [
        `r is ${rName}, s is ${sName}`,
        withSignature(Buffer.concat([octets(rValue), octets(sValue)])),
      ]),
    ),
  ])('%s', async (_name, text) => {
    expect(await taken(vaultTakes, text), 'vault').toBe(false);
    expect(await taken(rsTakes, text), 'rs').toBe(false);
  });
});
