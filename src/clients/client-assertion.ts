import { randomUUID } from 'node:crypto';
import { type CryptoKey, type JWK, SignJWT, calculateJwkThumbprint, importJWK } from 'jose';
import { CLIENT_ASSERTION_TYP } from '../contract/wire.js';

const LIFETIME_S = 60;
const RENEW_BEFORE_S = 10;

/** The bridge's proof of who it is towards one other service (RFC 7523 section 3), signed with its client key. */
export class ClientAssertion {
  private current: { readonly jwt: string; readonly iat: number } | undefined;

  private constructor(
    private readonly clientId: string,
    private readonly audience: string,
    private readonly key: CryptoKey | Uint8Array,
    private readonly kid: string,
    private readonly clock: () => number,
  ) {}

  /** @param privateJwk EC P-256 private JWK. @param audience identifier of the service that will check it. */
  static async create(options: {
    readonly clientId: string;
    readonly audience: string;
    readonly privateJwk: JWK;
    readonly clock: () => number;
  }): Promise<ClientAssertion> {
    const key = await importJWK(options.privateJwk, 'ES256');
    const kid = await calculateJwkThumbprint(options.privateJwk);
    return new ClientAssertion(options.clientId, options.audience, key, kid, options.clock);
  }

  /** A compact JWS, valid for up to a minute; the same one is handed out until shortly before it expires. */
  async get(): Promise<string> {
    const now = Math.floor(this.clock() / 1000);
    // Before its `iat` the clock was set back, and nobody takes an assertion from the future.
    const age = now - (this.current?.iat ?? Infinity);
    if (this.current === undefined || age < 0 || age >= LIFETIME_S - RENEW_BEFORE_S) {
      const jwt = await new SignJWT()
        .setProtectedHeader({ alg: 'ES256', typ: CLIENT_ASSERTION_TYP, kid: this.kid })
        .setIssuer(this.clientId)
        .setSubject(this.clientId)
        .setAudience(this.audience)
        .setIssuedAt(now)
        .setExpirationTime(now + LIFETIME_S)
        .setJti(randomUUID())
        .sign(this.key);
      this.current = { jwt, iat: now };
    }
    return this.current.jwt;
  }
}
