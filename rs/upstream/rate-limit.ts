import type { Clock } from '../clock.js';

/** At most so many in each second of the clock. */
export class RateLimit {
  #second = 0;
  #taken = 0;

  constructor(
    private readonly perSecond: number,
    private readonly clock: Clock,
  ) {}

  /** @returns false if this second's are used up */
  take(): boolean {
    const second = Math.floor(this.clock() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#taken = 0;
    }
    return ++this.#taken <= this.perSecond;
  }
}
