import type { ResourceServerClient } from '../clients/rs-client.js';
import type { Surface } from '../contract/wire.js';
import type { Catalogue } from '../dispatcher/catalogue.js';
import { UNREACHABLE } from '../dispatcher/exchange.js';

export type ListChange = 'tools' | 'resources' | 'prompts';

const RETRY_MS = 1000;

/** Notices when what can be listed changes, and tells whoever serves a client. */
export class SurfaceWatch {
  private readonly listeners = new Set<(change: ListChange) => void>();
  private readonly stopped = new AbortController();
  private known: Readonly<Record<ListChange, string>> | undefined;

  constructor(
    private readonly rs: Pick<ResourceServerClient, 'listen'>,
    private readonly catalogue: Pick<Catalogue, 'list' | 'surface' | 'changed'>,
  ) {}

  start(): void {
    void this.follow();
  }

  /** Returns the end of it. */
  subscribe(listener: (change: ListChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    this.stopped.abort();
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await this.rs
        .listen(undefined, UNREACHABLE, () => void this.look(), signal)
        .catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }

  private async look(): Promise<void> {
    try {
      this.catalogue.changed();
      const [tools, surface] = [await this.catalogue.list(), await this.catalogue.surface()];
      const before = this.known;
      this.known = fingerprints(tools, surface);
      if (before === undefined) return;
      for (const kind of ['tools', 'resources', 'prompts'] as const) {
        if (before[kind] !== this.known[kind])
          for (const listener of this.listeners) listener(kind);
      }
    } catch {
      // The resource server went away again; its next event brings the next look.
    }
  }
}

function fingerprints(
  tools: Awaited<ReturnType<Catalogue['list']>>,
  { resources, resource_templates, prompts }: Surface,
): Record<ListChange, string> {
  return {
    tools: JSON.stringify(tools.map(({ definition }) => definition)),
    resources: JSON.stringify([resources, resource_templates]),
    prompts: JSON.stringify(prompts),
  };
}
