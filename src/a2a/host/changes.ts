/** Wakes who waits for a call to settle. */
export class Changes {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Resolves when {@link tell} names the id, after `seconds`, or when the signal says stop. */
  async next(id: string, seconds: number, signal?: AbortSignal): Promise<void> {
    if (seconds <= 0 || signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const waiting = this.waiting.get(id) ?? new Set();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        waiting.delete(done);
        if (waiting.size === 0) this.waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, seconds * 1000);
      signal?.addEventListener('abort', done);
      waiting.add(done);
      this.waiting.set(id, waiting);
    });
  }

  tell(id: string): void {
    for (const done of [...(this.waiting.get(id) ?? [])]) done();
  }
}
