import * as z from 'zod';
import { posixSeconds } from '../src/contract/payload.js';
import { CLIENT_ASSERTION_TYP } from '../src/contract/wire.js';
import { BoundedMap } from './bounded-map.js';
import type { Clock } from './clock.js';
import { sha256Base64url } from './digest.js';
import type { Jws } from './jws.js';
import { readJws } from './jws.js';
import type { PublicKey } from './public-key.js';
import { refuse } from './refuse.js';

export type Role = 'mint' | 'ceremony' | 'directory';

/** A service that may call the vault, as the vault's own configuration lists it. */
export interface Client {
  readonly clientId: string;
  readonly publicKey: PublicKey;
  readonly roles: readonly Role[];
  /** Agents it may mint for; `*` is any. */
  readonly agents: readonly string[];
}

/** Claims of a client assertion (RFC 7523 section 3). Times in POSIX seconds. */
const assertionClaims = z.looseObject({
  iss: z.string(),
  sub: z.string(),
  aud: z.string(),
  iat: posixSeconds,
  exp: posixSeconds,
  jti: z.string().min(1),
});

const MAX_LIFETIME = 60;
const SKEW = 5;
const MAX_CHARS = 4096;
/** Clients use one assertion for most of a minute, so this many are far more than are alive at once. */
const REMEMBERED = 1000;

/** Authenticates clients by `private_key_jwt` (RFC 7523 section 2.2), with keys from configuration only. */
export class Clients {
  /** Verified assertions by SHA-256: in the steady state a call costs one hash. */
  readonly #verified = new BoundedMap<{ readonly client: Client; readonly exp: number }>(
    REMEMBERED,
  );

  constructor(
    private readonly configured: readonly Client[],
    /** The vault's own identifier, the only `aud` it takes. */
    private readonly audience: string,
    private readonly clock: Clock,
  ) {}

  /**
   * The client that signed the assertion.
   * @throws Refusal Unauthenticated.
   */
  async authenticate(assertion: string | undefined): Promise<Client> {
    if (assertion === undefined || assertion.length > MAX_CHARS) {
      throw unauthenticated('no assertion');
    }
    const digest = sha256Base64url(assertion);
    const known = this.#verified.get(digest);
    if (known !== undefined && this.clock() < known.exp * 1000) return known.client;
    const verified = await this.#verify(assertion);
    this.#verified.set(digest, verified);
    return verified.client;
  }

  async #verify(assertion: string): Promise<{ client: Client; exp: number }> {
    const jws = readJws(assertion, CLIENT_ASSERTION_TYP, 'Unauthenticated');
    const claims = readClaims(jws);
    const client = this.configured.find(({ clientId }) => clientId === claims.sub);
    if (client === undefined || claims.iss !== claims.sub) throw unauthenticated('unknown client');
    if (!(await jws.isBy(client.publicKey))) throw unauthenticated('signature');
    if (claims.aud !== this.audience) throw unauthenticated('aud');
    if (!isCurrent(claims, this.clock() / 1000)) throw unauthenticated('iat or exp');
    return { client, exp: claims.exp };
  }
}

/** @throws Refusal Forbidden if the client lacks the role. */
export function requireRole(client: Client, ...roles: readonly Role[]): void {
  if (!roles.some((role) => client.roles.includes(role))) throw refuse('Forbidden');
}

/** True while `now` is between `iat` and `exp`, give or take, and these are no more than a minute apart. */
export function isCurrent({ iat, exp }: { iat: number; exp: number }, now: number): boolean {
  return iat <= now + SKEW && now < exp + SKEW && exp > iat && exp - iat <= MAX_LIFETIME;
}

function readClaims({ claims }: Jws): z.infer<typeof assertionClaims> {
  const parsed = assertionClaims.safeParse(claims);
  if (!parsed.success) throw unauthenticated('claims');
  return parsed.data;
}

function unauthenticated(detail: string): Error {
  return refuse('Unauthenticated', { detail: `client assertion: ${detail}` });
}
