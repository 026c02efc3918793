import type { KeyObject } from 'node:crypto';
import { SignJWT, calculateJwkThumbprint, exportJWK } from 'jose';
import { CLIENT_ASSERTION_TYP } from '../../src/contract/wire.js';
import type { Clock } from './clock.js';
import { posixSecondsOf } from './clock.js';
import type { RandomBytes } from './sessions.js';

const LIFETIME_SECONDS = 60;
const RENEW_SECONDS_BEFORE = 10;

/** The JWT this service authenticates with to the vault (RFC 7523), signed anew 10 s before the last one expires. */
export class ClientAssertion {
  private current: { readonly jwt: string; readonly iat: number } | undefined;

  constructor(
    private readonly deps: {
      readonly clientId: string;
      readonly key: KeyObject;
      /** Issuer URL of the vault. */
      readonly audience: string;
      readonly clock: Clock;
      readonly random: RandomBytes;
    },
  ) {}

  async get(): Promise<string> {
    const now = posixSecondsOf(this.deps.clock());
    // Before its `iat` the clock was set back, and nobody takes an assertion from the future.
    const age = now - (this.current?.iat ?? Infinity);
    if (this.current === undefined || age < 0 || age >= LIFETIME_SECONDS - RENEW_SECONDS_BEFORE) {
      this.current = { jwt: await this.sign(now, now + LIFETIME_SECONDS), iat: now };
    }
    return this.current.jwt;
  }

  private async sign(iat: number, exp: number): Promise<string> {
    const { clientId, key, audience, random } = this.deps;
    const kid = await calculateJwkThumbprint(await exportJWK(key));
    return new SignJWT({ jti: random(16).toString('hex') })
      .setProtectedHeader({ alg: 'ES256', typ: CLIENT_ASSERTION_TYP, kid })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt(iat)
      .setExpirationTime(exp)
      .sign(key);
  }
}
