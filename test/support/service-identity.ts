/** A service's own key, as whoever has its data directory holds it, and client assertions made with it, honest or not. */
import type { JsonWebKey } from 'node:crypto';
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { join } from 'node:path';
import { domainDir, readJson } from '../../src/cli/data-directory.js';
import type { TestStack } from './test-stack.js';

export interface FalseAssertion {
  /** Members over those of the honest header; undefined takes one away. */
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs in place of the service's key. */
  readonly key?: JsonWebKey;
}

export class ServiceIdentity {
  readonly key: JsonWebKey;

  constructor(
    stack: TestStack,
    readonly clientId: 'bridge' | 'consent-ui' | 'rs',
  ) {
    this.key = readJson(join(domainDir(stack.data, clientId), 'client.jwk')) as JsonWebKey;
  }

  assertion(aud: unknown, { header, claims, key = this.key }: FalseAssertion = {}): string {
    const iat = Math.floor(Date.now() / 1000);
    const id = this.clientId;
    return signedJwt(
      key,
      { alg: 'ES256', typ: 'client-authentication+jwt', kid: this.key['kid'], ...header },
      { iss: id, sub: id, aud, iat, exp: iat + 60, jti: randomUUID(), ...claims },
    );
  }

  bearer(aud: unknown, falsify?: FalseAssertion): { authorization: string } {
    return { authorization: `Bearer ${this.assertion(aud, falsify)}` };
  }
}

/** A compact JWS with any header over any claims, signed ES256 whatever the header says. */
export function signedJwt(key: JsonWebKey, header: object, claims: object): string {
  return signedParts(key, JSON.stringify(header), JSON.stringify(claims));
}

/** The same over header and claims as raw text or octets. */
export function signedParts(key: JsonWebKey, header: string, claims: string | Uint8Array): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  const made = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${made.toString('base64url')}`;
}

export function encode(text: string | Uint8Array): string {
  return Buffer.from(text as string).toString('base64url');
}
