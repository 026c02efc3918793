/** A memory of what can be worked out again: at most `capacity` entries, of which a new one pushes the oldest out. */
export class BoundedMap<T> {
  readonly #entries = new Map<string, T>();

  constructor(private readonly capacity: number) {}

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.capacity && oldest !== undefined) this.#entries.delete(oldest);
  }
}
