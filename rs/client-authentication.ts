/** Which service calls: verifies the ES256 client assertion in `Authorization: Bearer` (RFC 7523 section 3). */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Refusal } from '../src/contract/errors.js';
import { posixSeconds } from '../src/contract/payload.js';
import { CLIENT_ASSERTION_TYP } from '../src/contract/wire.js';
import { parseJws } from './jws.js';
import type { PublicKey } from './public-key.js';
import type { Clock } from './clock.js';
import { verifySignature } from './signature-algorithms.js';

export interface Client {
  readonly clientId: string;
  readonly key: PublicKey;
  readonly roles: readonly string[];
}

const claims = z.strictObject({
  iss: z.string(),
  sub: z.string(),
  aud: z.string(),
  iat: posixSeconds,
  exp: posixSeconds,
  jti: z.string().min(1).max(128),
});

const MAX_LIFETIME_SECONDS = 60;
const SKEW_SECONDS = 5;
/** Verified assertions remembered, by their SHA-256, until they expire: a steady caller costs one hash per request. */
const MAX_REMEMBERED = 1000;

export class ClientAuthentication {
  readonly #remembered = new Map<string, { readonly client: Client; readonly exp: number }>();

  /** @param audience this server's own identifier */
  constructor(
    private readonly clients: readonly Client[],
    private readonly audience: string,
    private readonly clock: Clock,
  ) {}

  /**
   * @param authorization the header as it came
   * @throws Refusal Unauthenticated; Forbidden if the client lacks the role
   */
  async authenticate(authorization: string | undefined, role: string): Promise<Client> {
    const assertion = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1];
    if (assertion === undefined) throw unauthenticated('no assertion');
    const client = await this.#verified(assertion);
    if (!client.roles.includes(role)) throw new Refusal('Forbidden', 'rs');
    return client;
  }

  async #verified(assertion: string): Promise<Client> {
    const digest = createHash('sha256').update(assertion).digest('base64url');
    const remembered = this.#remembered.get(digest);
    const now = this.clock() / 1000;
    if (remembered !== undefined && now < remembered.exp) return remembered.client;
    const { client, exp } = await this.#verify(assertion, now);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(digest, { client, exp });
    return client;
  }

  async #verify(assertion: string, now: number) {
    const jws = read(assertion);
    if (jws.header.alg !== 'ES256' || jws.header.typ !== CLIENT_ASSERTION_TYP) {
      throw unauthenticated('alg or typ');
    }
    const parsed = claims.safeParse(jws.payload);
    if (!parsed.success) throw unauthenticated('claims');
    const { iss, sub, aud, iat, exp } = parsed.data;
    const current =
      iat <= now + SKEW_SECONDS && now < exp + SKEW_SECONDS && exp - iat <= MAX_LIFETIME_SECONDS;
    if (sub !== iss || aud !== this.audience || !current) throw unauthenticated('claims');
    // The key is the one configured for the client id; `kid` does not choose it.
    const client = this.clients.find((c) => c.clientId === iss);
    if (client?.key.algorithm !== 'ES256') throw unauthenticated('client');
    if (!(await verifySignature(client.key, jws.signingInput, jws.signature, 'raw'))) {
      throw unauthenticated('signature');
    }
    return { client, exp };
  }
}

function read(assertion: string) {
  try {
    return parseJws(assertion);
  } catch {
    throw unauthenticated('shape');
  }
}

function unauthenticated(detail: string): Refusal {
  return new Refusal('Unauthenticated', 'rs', { detail });
}
