import type { ConsentClient } from '../clients/consent-client.js';
import type { ApprovalRequired } from '../dispatcher/outcome.js';

/** Longest one question to the consent page waits, seconds. */
const LONG_POLL_S = 25;
const MAX_WATCHES = 1000;

export interface DecidedElsewhere {
  /** True once the call no longer waits for a person; false at `exp` (POSIX seconds) or when the signal says stop. */
  decided(consentId: string, exp: number, signal: AbortSignal): Promise<boolean>;
}

/** Watches pending consents so that a client with an open stream learns of the decision at once. */
export class Announcements {
  private readonly watching = new Map<string, AbortController>();

  /**
   * @param page where this bridge's own questions are decided; undefined where it asks none
   * @param elsewhere tells when what another agent asks is decided; undefined where there is no other agent
   */
  constructor(
    private readonly page: ConsentClient | undefined,
    private readonly clock: () => number,
    private readonly elsewhere?: DecidedElsewhere,
  ) {}

  /** The same, also for what other agents ask. */
  alsoOf(elsewhere: DecidedElsewhere): Announcements {
    return new Announcements(this.page, this.clock, elsewhere);
  }

  /** Calls `announce` once the consent is decided; one watch for each key. */
  watch(key: string, required: ApprovalRequired, announce: () => void): void {
    if (this.watching.has(key) || this.watching.size >= MAX_WATCHES) return;
    const stop = new AbortController();
    this.watching.set(key, stop);
    this.decided(required, stop.signal)
      .then((decided) => (decided ? announce() : undefined))
      .catch(() => undefined)
      .finally(() => this.watching.delete(key));
  }

  close(): void {
    for (const stop of this.watching.values()) stop.abort();
  }

  private async decided(
    { consentId, exp, ask }: ApprovalRequired,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { page, elsewhere } = this;
    if (ask !== undefined) return (await elsewhere?.decided(consentId, exp, signal)) === true;
    if (page === undefined) return false;
    while (!signal.aborted && this.clock() / 1000 < exp) {
      const { status } = await page.decision(consentId, LONG_POLL_S, signal);
      if (status !== 'pending') return true;
    }
    return false;
  }
}
