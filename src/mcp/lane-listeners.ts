import type { ResourceServerClient } from '../clients/rs-client.js';
import type { Caller, Lane } from '../contract/wire.js';
import type { Exchange } from '../dispatcher/exchange.js';

const RETRY_MS = 1000;
const MAX_LISTENERS = 1000;

/** Follows what upstreams say to a client outside its requests, for as long as the client's stream is open. */
export class LaneListeners {
  private readonly listening = new Map<string, AbortController>();

  constructor(private readonly rs: Pick<ResourceServerClient, 'listen'>) {}

  /** One listener for each lane; it comes back after the resource server was away. */
  start(caller: Caller, lane: Lane, exchange: Exchange): void {
    if (this.listening.has(lane.id) || this.listening.size >= MAX_LISTENERS) return;
    const stop = new AbortController();
    this.listening.set(lane.id, stop);
    void this.follow(caller, lane, exchange, stop.signal);
  }

  stop(laneId: string): void {
    this.listening.get(laneId)?.abort();
    this.listening.delete(laneId);
  }

  close(): void {
    for (const id of [...this.listening.keys()]) this.stop(id);
  }

  private async follow(
    caller: Caller,
    lane: Lane,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      await this.rs
        .listen({ caller, lane }, exchange, () => undefined, signal)
        .catch(() => undefined);
      await pause(RETRY_MS, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
