import { Refusal } from '../contract/errors.js';
import type { Caller } from '../contract/wire.js';

export const MAX_PENDING_PER_CALLER = 200;
export const MAX_NEW_PER_SECOND = 5;

/** At most five new consents in any one second for each caller; others are unaffected. */
export class NewConsentRate {
  private readonly recent = new Map<string, number[]>();

  constructor(private readonly clock: () => number) {}

  /** Counts one more. @throws Refusal `RateLimited` (layer `dispatcher`) */
  take(caller: Caller): void {
    const key = JSON.stringify([caller.subject, caller.client_id]);
    const since = this.clock() - 1000;
    const times = (this.recent.get(key) ?? []).filter((at) => at > since);
    if (times.length >= MAX_NEW_PER_SECOND) throw new Refusal('RateLimited', 'dispatcher');
    times.push(this.clock());
    this.recent.set(key, times);
  }

  /** Forgets callers that have been quiet for a second. */
  sweep(): void {
    const since = this.clock() - 1000;
    for (const [key, times] of this.recent) {
      if (times.every((at) => at <= since)) this.recent.delete(key);
    }
  }
}
