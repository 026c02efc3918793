import type { ConsentClient } from '../clients/consent-client.js';
import type { ApprovalRequired } from '../dispatcher/outcome.js';

/** Longest one question to the consent page waits, seconds. */
const LONG_POLL_S = 25;
const MAX_WATCHES = 1000;

/** Watches pending consents so that a client with an open stream learns of the decision at once. */
export class Announcements {
  private readonly watching = new Map<string, AbortController>();

  constructor(
    private readonly page: ConsentClient | undefined,
    private readonly clock: () => number,
  ) {}

  /** Calls `announce` once the consent is decided; one watch for each key. */
  watch(key: string, required: ApprovalRequired, announce: () => void): void {
    if (this.page === undefined || this.watching.has(key) || this.watching.size >= MAX_WATCHES)
      return;
    const stop = new AbortController();
    this.watching.set(key, stop);
    this.decided(this.page, required, stop.signal)
      .then((decided) => (decided ? announce() : undefined))
      .catch(() => undefined)
      .finally(() => this.watching.delete(key));
  }

  close(): void {
    for (const stop of this.watching.values()) stop.abort();
  }

  private async decided(
    page: ConsentClient,
    { consentId, exp }: ApprovalRequired,
    signal: AbortSignal,
  ): Promise<boolean> {
    while (!signal.aborted && this.clock() / 1000 < exp) {
      const { status } = await page.decision(consentId, LONG_POLL_S, signal);
      if (status !== 'pending') return true;
    }
    return false;
  }
}
