import type { Clock } from './clock.js';

/** Seconds an entry is kept beyond its expiry, so that clocks that differ a little still find it. */
const GRACE = 60;

/** A map whose entries go away by themselves after their expiry: it stays as large as its live window. */
export class ExpiringMap<T> {
  readonly #entries = new Map<string, { readonly exp: number; readonly value: T }>();
  #nextSweepMs = 0;

  constructor(private readonly clock: Clock) {}

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  /** `exp` in POSIX seconds. */
  set(key: string, exp: number, value: T): void {
    this.#sweep();
    this.#entries.set(key, { exp, value });
  }

  get size(): number {
    return this.#entries.size;
  }

  #sweep(): void {
    const now = this.clock();
    if (now < this.#nextSweepMs) return;
    this.#nextSweepMs = now + GRACE * 1000;
    for (const [key, { exp }] of this.#entries) {
      if ((exp + GRACE) * 1000 < now) this.#entries.delete(key);
    }
  }
}
