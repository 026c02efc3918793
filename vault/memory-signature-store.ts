import type { Allotment, EarlierUse } from './checks/check-unused.js';
import { checkUnused } from './checks/check-unused.js';
import { checkCounter } from './checks/check-counter.js';
import type { Clock } from './clock.js';
import { ExpiringMap } from './expiring-map.js';
import { refuse } from './refuse.js';
import type { Offer, SignatureStore, VerifiedConsent } from './mint.js';

/** Seconds, as in the durable store: a clock may be set back by an hour and everything goes on. */
const KEPT = 2 * 3600;

/** Tier 1: used signatures in memory. Each method runs without interruption, which is all the atomicity one process needs. */
export class MemorySignatureStore implements Pick<SignatureStore, 'spend'> {
  readonly #used: ExpiringMap<EarlierUse>;
  readonly #counters = new Map<string, number>();

  constructor(clock: Clock) {
    this.#used = new ExpiringMap(clock, KEPT);
  }

  spend(verified: VerifiedConsent, offer: Offer): Promise<Allotment> {
    return new Promise((resolve) => {
      resolve(this.#spend(verified, offer));
    });
  }

  #spend(verified: VerifiedConsent, offer: Offer): Allotment {
    const { hash, payload } = verified.consent;
    const allotted = checkUnused(this.#used.get(hash), offer.presentation);
    if (allotted !== undefined) return allotted;
    // The clock was set back further: whether these bytes were used is forgotten.
    if (payload.exp < this.#used.forgottenBefore) throw refuse('CredentialExpired');
    this.#advanceCounter(verified);
    this.#used.set(hash, payload.exp, offer);
    return { jti: offer.jti, iat: offer.iat };
  }

  #advanceCounter({ approverKey, counter }: VerifiedConsent): void {
    if (counter === undefined) return;
    checkCounter(counter, this.#counters.get(approverKey.keyId) ?? 0);
    this.#counters.set(approverKey.keyId, counter);
  }
}
