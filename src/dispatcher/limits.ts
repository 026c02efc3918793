import { Refusal } from '../contract/errors.js';
import type { Caller } from '../contract/wire.js';
import type { Hop } from './proposal.js';

export const MAX_PENDING_PER_CALLER = 200;
export const MAX_NEW_PER_SECOND = 5;

/** At most five new consents in any one second for each caller; others are unaffected. */
export class NewConsentRate {
  private readonly recent = new Map<string, number[]>();

  constructor(private readonly clock: () => number) {}

  /**
   * Counts one more. Calls that came through other agents are counted apart, so that one cannot use up another's.
   * @throws Refusal `RateLimited` (layer `dispatcher`)
   */
  take(caller: Caller, chain: readonly Hop[] = []): void {
    const through = chain.map(({ agent }) => agent);
    const key = JSON.stringify([caller.subject, caller.client_id, ...through]);
    const now = this.clock();
    const times = (this.recent.get(key) ?? []).filter((at) => isWithinASecond(at, now));
    if (times.length >= MAX_NEW_PER_SECOND) throw new Refusal('RateLimited', 'dispatcher');
    times.push(now);
    this.recent.set(key, times);
  }

  /** Forgets callers that have been quiet for a second. */
  sweep(): void {
    const now = this.clock();
    for (const [key, times] of this.recent) {
      if (!times.some((at) => isWithinASecond(at, now))) this.recent.delete(key);
    }
  }
}

/** Not so for a time still to come: it was noted before the clock was set back. */
function isWithinASecond(at: number, now: number): boolean {
  return at <= now && at > now - 1000;
}
