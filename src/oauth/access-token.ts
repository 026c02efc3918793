/** Access tokens of the configured authorization servers: JWTs of RFC 9068, read by the rules of RFC 8725. */
import { errors, jwtVerify } from 'jose';
import * as z from 'zod';
import { Refusal } from '../contract/errors.js';
import { parseStrictJson } from '../contract/strict-json.js';
import { type Caller, caller } from '../contract/wire.js';
import type { IssuerConfig, OauthConfig } from './config.js';
import type { IssuerKeys } from './issuer-keys.js';

/** Seconds by which the issuer's clock may be ahead of ours. */
const SKEW_S = 60;
const MAX_TOKEN = 8192;
const ALGORITHMS = ['ES256', 'EdDSA', 'RS256', 'PS256'] as const;
/** RFC 9068 section 4: the one thing that tells an access token from an ID token of the same issuer. */
const TYPES: readonly unknown[] = ['at+jwt', 'application/at+jwt'];

/**
 * Members of a header that would let the sender say how it is to be verified. Their presence alone refuses the token
 * (RFC 8725 sections 3.9 and 3.10); others, such as `x5t`, are somebody else's notes and are not read.
 */
const FORBIDDEN = ['crit', 'b64', 'jku', 'jwk', 'x5u', 'x5c'] as const;

const header = z.looseObject({
  alg: z.string(),
  typ: z.string(),
  kid: z.string().min(1).max(256).optional(),
});

/** Claims whose absence jose itself refuses; RFC 9068 section 2.2 asks for all of them. */
const REQUIRED = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti'];

export interface TrustedIssuer {
  readonly config: IssuerConfig;
  readonly keys: IssuerKeys;
}

export interface VerifiedToken {
  readonly caller: Caller;
  readonly issuer: string;
  /** POSIX seconds. */
  readonly expiresAt: number;
}

/** Verifies access tokens for one resource. */
export class AccessTokens {
  private readonly issuers: ReadonlyMap<string, TrustedIssuer>;

  constructor(
    private readonly resource: OauthConfig['resource'],
    issuers: readonly TrustedIssuer[],
    private readonly clock: () => number,
  ) {
    this.issuers = new Map(issuers.map((issuer) => [issuer.config.issuer, issuer]));
  }

  /** Whether this issuer is one of the configured. */
  trusts(issuer: string): boolean {
    return this.issuers.has(issuer);
  }

  /**
   * The caller an access token stands for.
   * @throws Refusal `Unauthenticated` (layer `bridge`; the reason in `detail`), `Unavailable` when it cannot be known
   *   because this token's issuer is away
   */
  async verify(token: string): Promise<VerifiedToken> {
    const said = unverified(token);
    const issuer = this.issuers.get(said.iss);
    if (issuer === undefined) throw unauthenticated('iss');
    const { config } = issuer;
    const algorithms: readonly string[] = config.algorithms ?? ALGORITHMS;
    // Before any key is fetched: a token nobody could accept costs the issuer nothing.
    if (!algorithms.includes(said.alg)) throw unauthenticated('alg');
    const keys = await issuer.keys.keysFor(said.kid);
    if (said.kid === undefined && keys.size !== 1) throw unauthenticated('kid');
    const now = Math.floor(this.clock() / 1000);
    try {
      const { payload } = await jwtVerify(token, keys.find, {
        algorithms: [...algorithms],
        issuer: config.issuer,
        audience: this.resource,
        requiredClaims: REQUIRED,
        currentDate: new Date(now * 1000),
        // For `nbf`. Nobody gets more time than `exp` says.
        clockTolerance: SKEW_S,
      });
      const expiresAt = payload.exp ?? 0;
      if (expiresAt <= now) throw unauthenticated('exp');
      if ((payload.iat ?? Infinity) > now + SKEW_S) throw unauthenticated('iat');
      checkAudienceAlone(payload.aud, this.resource, config.other_audiences ?? []);
      return {
        caller: this.callerOf(payload, config),
        issuer: config.issuer,
        expiresAt: Math.floor(expiresAt),
      };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // A key that cannot be imported is no JOSEError, and makes no token good either.
      throw unauthenticated(error instanceof errors.JOSEError ? error.code : 'key');
    }
  }

  private callerOf(claims: Readonly<Record<string, unknown>>, config: IssuerConfig): Caller {
    const subjectClaim = config.subject_claim ?? 'sub';
    if (subjectClaim === 'email' && claims['email_verified'] !== true)
      throw unauthenticated('email_verified');
    const scope = claims['scope'] ?? '';
    const parsed = caller.safeParse({
      subject: this.named(claims[subjectClaim], config),
      client_id: this.named(claims[config.client_claim ?? 'client_id'], config),
      scopes: typeof scope === 'string' ? scope.split(' ').filter((one) => one !== '') : undefined,
    });
    if (!parsed.success) throw unauthenticated(parsed.error.issues[0]?.path.join('.') ?? 'claims');
    return parsed.data;
  }

  /** A name in the issuer's namespace. One that reaches into the namespace of another issuer is nobody's. */
  private named(name: unknown, { issuer, namespace = '' }: IssuerConfig): string | undefined {
    if (typeof name !== 'string' || name === '') return undefined;
    const full = `${namespace}${name}`;
    for (const { config: other } of this.issuers.values()) {
      const { namespace: theirs = '' } = other;
      const reaches = theirs.length > namespace.length && full.startsWith(theirs);
      if (other.issuer !== issuer && reaches) throw unauthenticated('namespace');
    }
    return full;
  }
}

/**
 * Rule: the token names no audience beside this resource, apart from those the operator listed.
 * Source: RFC 9700 section 2.3 (audience restriction), RFC 8725 section 3.9. Refusal: `Unauthenticated`.
 * Without it: any other server named in the token can present it here as its own.
 */
function checkAudienceAlone(aud: unknown, resource: string, others: readonly string[]): void {
  const named = Array.isArray(aud) ? (aud as unknown[]) : [aud];
  const known = new Set<unknown>([resource, ...others]);
  if (!named.every((one) => known.has(one))) throw unauthenticated('aud');
}

/** What a token says of itself, to learn whose keys to check it with. Believed only once the signature holds. */
function unverified(token: string): { alg: string; kid: string | undefined; iss: string } {
  const [head = '', body = '', signature = '', ...rest] = token.split('.', 4);
  if (token.length > MAX_TOKEN || signature === '' || rest.length > 0)
    throw unauthenticated('shape');
  const parsed = header.safeParse(decoded(head));
  if (!parsed.success) throw unauthenticated('header');
  const { alg, typ, kid } = parsed.data;
  if (!TYPES.includes(typ)) throw unauthenticated('typ');
  const forbidden = FORBIDDEN.find((member) => Object.hasOwn(parsed.data, member));
  if (forbidden !== undefined) throw unauthenticated(forbidden);
  octets(signature);
  const claims = z.looseObject({ iss: z.string() }).safeParse(decoded(body));
  if (!claims.success) throw unauthenticated('iss');
  return { alg, kid, iss: claims.data.iss };
}

/** Base64url in its one spelling; jose would take several (RFC 4648 section 3.5). @throws Refusal `Unauthenticated` */
function octets(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw unauthenticated('base64url');
  return bytes;
}

/** Strict JSON, so that no member is there twice. @throws Refusal `Unauthenticated` */
function decoded(part: string): unknown {
  const bytes = octets(part);
  try {
    return parseStrictJson(utf8.decode(bytes), 'bridge');
  } catch {
    throw unauthenticated('json');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function unauthenticated(detail: string): Refusal {
  return new Refusal('Unauthenticated', 'bridge', { detail: `access token: ${detail}` });
}
