import type { Clock } from './clock.js';

/** How often the map is swept, at most. */
const SWEEP_EVERY_MS = 60_000;

/** A map whose entries go away by themselves after their expiry: it stays as large as its live window. */
export class ExpiringMap<T> {
  readonly #entries = new Map<string, { readonly exp: number; readonly value: T }>();
  #sweptAtMs = -Infinity;
  #forgottenBefore = 0;

  constructor(
    private readonly clock: Clock,
    /** Seconds an entry is kept beyond its expiry. */
    private readonly kept: number,
  ) {}

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  /** `exp` in POSIX seconds. */
  set(key: string, exp: number, value: T): void {
    this.#sweep();
    this.#entries.set(key, { exp, value });
  }

  /** POSIX seconds: entries that expire before this may have been here and are not any more, wherever the clock is now. */
  get forgottenBefore(): number {
    return this.#forgottenBefore;
  }

  get size(): number {
    return this.#entries.size;
  }

  #sweep(): void {
    const now = this.clock();
    if (Math.abs(now - this.#sweptAtMs) < SWEEP_EVERY_MS) return;
    this.#sweptAtMs = now;
    this.#forgottenBefore = Math.max(this.#forgottenBefore, now / 1000 - this.kept);
    for (const [key, { exp }] of this.#entries) {
      if (exp < this.#forgottenBefore) this.#entries.delete(key);
    }
  }
}
