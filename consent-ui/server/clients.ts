import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import * as z from 'zod';
import { Refusal } from '../../src/contract/errors.js';
import { posixSeconds } from '../../src/contract/payload.js';
import { CLIENT_ASSERTION_TYP } from '../../src/contract/wire.js';
import type { Clock } from './clock.js';
import { ConfigError, type Config } from './config.js';

const LAYER = 'consent-ui';
const MAX_LIFETIME_SECONDS = 60;
const SKEW_SECONDS = 5;
const MAX_REMEMBERED = 1000;

export type Role = Config['clients'][number]['roles'][number];

interface Client {
  readonly clientId: string;
  readonly roles: readonly Role[];
}

/** Nothing else: a `jwk`, `jku` or `crit` must not have a say anywhere (RFC 8725 section 3.10). */
const assertionHeader = z.strictObject({
  alg: z.string(),
  typ: z.string(),
  kid: z.string().optional(),
});

const assertionClaims = z.looseObject({
  iss: z.string(),
  sub: z.string(),
  aud: z.string(),
  iat: posixSeconds,
  exp: posixSeconds,
  jti: z.string().min(1),
});

/**
 * The services that may call this one, each authenticated by a JWT signed with its own key (RFC 7523 section 3, RFC 8725):
 * algorithm and `typ` are pinned, the key is the one configured for `iss`, `aud` is exactly this service, and it lives 60 s at most.
 */
export class ServiceClients {
  private readonly known = new Map<string, Client & { readonly key: KeyObject }>();
  /** SHA-256 of verified assertions, until they expire: callers reuse one, and then a call costs one hash. */
  private readonly verified = new Map<string, { readonly client: Client; readonly exp: number }>();

  /** @throws ConfigError when a configured key is not a public EC P-256 JWK */
  constructor(
    clients: Config['clients'],
    private readonly identifier: string,
    private readonly clock: Clock,
  ) {
    for (const { client_id, public_jwk, roles } of clients) {
      this.known.set(client_id, {
        clientId: client_id,
        roles,
        key: publicKeyOf(client_id, public_jwk),
      });
    }
  }

  /** The client id of the caller. @throws Refusal Unauthenticated, or Forbidden when the client lacks the role */
  async authenticate(authorization: string | undefined, role: Role): Promise<string> {
    const assertion = /^Bearer ([\w.-]{1,4096})$/.exec(authorization ?? '')?.[1];
    if (assertion === undefined) throw unauthenticated('no bearer assertion');
    const client = this.remembered(assertion) ?? (await this.verify(assertion));
    if (!client.roles.includes(role)) throw new Refusal('Forbidden', LAYER);
    return client.clientId;
  }

  private remembered(assertion: string): Client | undefined {
    const hit = this.verified.get(digestOf(assertion));
    return hit !== undefined && hit.exp > this.clock() / 1000 ? hit.client : undefined;
  }

  private async verify(assertion: string): Promise<Client> {
    const client = this.known.get(issuerOf(assertion));
    if (client === undefined) throw unauthenticated('unknown client');
    const now = this.clock() / 1000;
    const verified = await jwtVerify(assertion, client.key, {
      algorithms: ['ES256'],
      typ: CLIENT_ASSERTION_TYP,
      currentDate: new Date(this.clock()),
      clockTolerance: SKEW_SECONDS,
    }).catch(() => undefined);
    const { data: claims } = assertionClaims.safeParse(verified?.payload);
    if (
      !assertionHeader.safeParse(verified?.protectedHeader).success ||
      claims?.sub !== client.clientId ||
      claims.iss !== client.clientId ||
      claims.aud !== this.identifier ||
      claims.iat > now + SKEW_SECONDS ||
      claims.exp - claims.iat > MAX_LIFETIME_SECONDS
    ) {
      throw unauthenticated(`assertion of ${client.clientId} is not acceptable`);
    }
    this.remember(assertion, client, claims.exp);
    return client;
  }

  private remember(assertion: string, client: Client, exp: number): void {
    if (this.verified.size >= MAX_REMEMBERED) this.verified.clear();
    this.verified.set(digestOf(assertion), { client, exp });
  }
}

function unauthenticated(detail: string): Refusal {
  return new Refusal('Unauthenticated', LAYER, { detail });
}

function issuerOf(assertion: string): string {
  try {
    return decodeJwt(assertion).iss ?? '';
  } catch {
    return '';
  }
}

function digestOf(assertion: string): string {
  return createHash('sha256').update(assertion).digest('base64url');
}

function publicKeyOf(clientId: string, jwk: Config['clients'][number]['public_jwk']): KeyObject {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    if (!Object.hasOwn(jwk, 'd') && key.asymmetricKeyDetails?.namedCurve === 'prime256v1')
      return key;
  } catch {
    // told below
  }
  throw new ConfigError(`clients: public_jwk of ${clientId} must be a public EC P-256 JWK`);
}
