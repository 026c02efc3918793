/** The issuer's published keys (RFC 7517), fetched from the configured address only and cached as KeyObjects. */
import * as z from 'zod';
import { Refusal } from '../src/contract/errors.js';
import type { Clock } from './clock.js';
import type { PublicKey } from './public-key.js';
import { loadPublicKey } from './public-key.js';

export interface IssuerKeys {
  /**
   * The published key with this id, or undefined if there is none.
   * @throws Refusal Unavailable if that cannot be known because the issuer is away.
   */
  find(kid: string): Promise<PublicKey | undefined>;
}

/** Milliseconds. A cached set this old is fetched again before it is used, so a withdrawn key dies within this time. */
const FRESH_MS = 5 * 60_000;
/** If the issuer is away the last set serves this long: an outage stops nothing that was minted before it. */
const USABLE_MS = 60 * 60_000;
/** A fetch for an unknown kid that did not bring it: no other for this long, or strangers could make us hammer the issuer. */
const UNKNOWN_COOL_DOWN_MS = 5000;
/** The same after a fetch that failed. */
const FAILURE_COOL_DOWN_MS = 1000;

const jwkSet = z.looseObject({ keys: z.array(z.looseObject({ kid: z.string().optional() })) });

export class JwksIssuerKeys implements IssuerKeys {
  #keys: ReadonlyMap<string, PublicKey> = new Map();
  #fetchedAt = -Infinity;
  /** Undefined once a fetch succeeded again. */
  #failedAt: number | undefined;
  #uselessAt = -Infinity;
  #fetching: Promise<void> | undefined;

  /** @param fetchJwks the parsed document at the configured `jwks_uri`; rejects if it cannot be had */
  constructor(
    private readonly fetchJwks: () => Promise<unknown>,
    private readonly clock: Clock,
  ) {}

  async find(kid: string): Promise<PublicKey | undefined> {
    if (this.#age(this.#fetchedAt) >= FRESH_MS) await this.#refresh();
    else if (!this.#keys.has(kid) && this.#age(this.#uselessAt) >= UNKNOWN_COOL_DOWN_MS) {
      await this.#refresh();
      if (!this.#keys.has(kid)) this.#uselessAt = this.clock();
    }
    const key = this.#age(this.#fetchedAt) < USABLE_MS ? this.#keys.get(kid) : undefined;
    if (key === undefined && this.#failedAt !== undefined) {
      throw new Refusal('Unavailable', 'rs', { detail: 'issuer keys cannot be fetched' });
    }
    return key;
  }

  /** One fetch at a time, shared by all who wait for it. Never rejects: what it could not get is told by the times. */
  async #refresh(): Promise<void> {
    if (this.#failedAt !== undefined && this.#age(this.#failedAt) < FAILURE_COOL_DOWN_MS) return;
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined));
    await this.#fetching;
  }

  async #fetch(): Promise<void> {
    try {
      this.#keys = loadSet(await this.fetchJwks());
      this.#fetchedAt = this.clock();
      this.#failedAt = undefined;
    } catch {
      this.#failedAt = this.clock();
    }
  }

  /** What was learned at a time still to come, because the clock was set back, is of unknown age: too old for anything. */
  #age(since: number): number {
    const age = this.clock() - since;
    return age < 0 ? Infinity : age;
  }
}

/** Keys of types this server does not verify are somebody else's and left out. */
function loadSet(document: unknown): ReadonlyMap<string, PublicKey> {
  const keys = new Map<string, PublicKey>();
  for (const jwk of jwkSet.parse(document).keys) {
    if (jwk.kid === undefined || keys.has(jwk.kid)) continue;
    try {
      keys.set(jwk.kid, loadPublicKey(jwk));
    } catch {
      continue;
    }
  }
  return keys;
}
