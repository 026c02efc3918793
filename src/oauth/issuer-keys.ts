import { type JWK, type LocalJWKSet, createLocalJWKSet } from 'jose';
import * as z from 'zod';
import { Refusal } from '../contract/errors.js';

/** Milliseconds. From this age on a set is renewed beside its use. */
const RENEW_MS = 4 * 60_000;
/** A set this old is renewed before its use, so a withdrawn key dies within this time. */
const FRESH_MS = 5 * 60_000;
/** While the issuer is away the last set serves this long and no longer. */
const USABLE_MS = 15 * 60_000;
/** After a fetch for an unknown key id, none for another: strangers must not make us hammer the issuer. */
const UNKNOWN_COOL_DOWN_MS = 30_000;
/** The same after a fetch that failed. */
const FAILURE_COOL_DOWN_MS = 1000;

const jwk = z.looseObject({ kty: z.string(), kid: z.string().optional() });
const jwkSet = z.looseObject({ keys: z.array(jwk).max(100) });

/** One issuer's published keys at one time. `find` imports each key once. */
export interface KeySet {
  readonly find: LocalJWKSet;
  readonly kids: ReadonlySet<string>;
  /** How many keys could be meant when a token names none. */
  readonly size: number;
}

/** The published keys of one issuer (RFC 7517), cached. The rs has such a cache of its own, for another issuer and other times. */
export class IssuerKeys {
  private known: { readonly set: KeySet; readonly at: number } | undefined;
  private failedAt: number | undefined;
  private askedForUnknownAt: number | undefined;
  private fetching: Promise<void> | undefined;

  /** @param fetchJwks the parsed JWK set; rejects if it cannot be had */
  constructor(
    private readonly fetchJwks: () => Promise<unknown>,
    private readonly clock: () => number,
  ) {}

  /**
   * The keys to check a token with that names `kid`. Whether that key is among them is for the caller to see.
   * @throws Refusal `Unavailable` (layer `bridge`) when the issuer is away and no set is young enough
   */
  async keysFor(kid: string | undefined): Promise<KeySet> {
    const age = this.age(this.known?.at);
    if (age >= FRESH_MS) await this.renew();
    else if (kid !== undefined && this.known?.set.kids.has(kid) === false)
      await this.askForUnknown();
    else if (age >= RENEW_MS) void this.renew();
    if (this.known !== undefined && this.age(this.known.at) < USABLE_MS) return this.known.set;
    throw new Refusal('Unavailable', 'bridge', { detail: 'issuer keys cannot be fetched' });
  }

  private async askForUnknown(): Promise<void> {
    if (this.age(this.askedForUnknownAt) < UNKNOWN_COOL_DOWN_MS) return;
    this.askedForUnknownAt = this.clock();
    await this.renew();
  }

  /** One fetch at a time, shared by all who wait for it. Never rejects: what it could not get shows in the times. */
  private async renew(): Promise<void> {
    if (this.age(this.failedAt) < FAILURE_COOL_DOWN_MS) return;
    this.fetching ??= this.fetch().finally(() => (this.fetching = undefined));
    await this.fetching;
  }

  private async fetch(): Promise<void> {
    try {
      this.known = { set: keySet(await this.fetchJwks()), at: this.clock() };
      this.failedAt = undefined;
    } catch {
      this.failedAt = this.clock();
    }
  }

  /** Of what never happened, or at a time still to come because the clock was set back, nobody knows the age. */
  private age(since: number | undefined): number {
    const age = this.clock() - (since ?? -Infinity);
    return age < 0 ? Infinity : age;
  }
}

/** Keys without which nothing can be verified here (secrets above all) are left out. @throws when it is no JWK set */
function keySet(document: unknown): KeySet {
  const keys = jwkSet.parse(document).keys.filter(({ kty }) => kty !== 'oct');
  return {
    find: createLocalJWKSet({ keys: keys as JWK[] }),
    kids: new Set(keys.flatMap(({ kid }) => kid ?? [])),
    size: keys.length,
  };
}
