/** What can be listed, asked or run, and who wants to know when it changes. */
import type { Surface, ToolDefinition } from '../src/contract/wire.js';
import type { Clock } from './clock.js';
import type { Offers } from './upstream/offers.js';

export class SurfaceFeed {
  readonly #listeners = new Set<(revision: number) => void>();
  #revision: number;

  /** @param tools that are always there */
  constructor(
    private readonly tools: readonly ToolDefinition[],
    private readonly offers: Offers,
    private readonly clock: Clock,
  ) {
    // Larger than any of an earlier process.
    this.#revision = clock();
  }

  get revision(): number {
    return this.#revision;
  }

  read(): Surface {
    const { tools, ...offered } = this.offers.surface();
    return { revision: this.#revision, ...offered, tools: [...this.tools, ...tools] };
  }

  changed(): void {
    this.#revision = Math.max(this.#revision + 1, this.clock());
    for (const listener of this.#listeners) listener(this.#revision);
  }

  /** @returns ends it */
  listen(listener: (revision: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
