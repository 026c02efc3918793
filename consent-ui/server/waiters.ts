/** Long polls waiting for a consent to change. Woken from this process only; a poll that hears nothing reads the store when it ends. */
export class Waiters {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Resolves when the consent changes, after `ms`, or when `signal` aborts (the client went away). Never rejects. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.forget(id, done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
      const group = this.waiting.get(id) ?? new Set();
      this.waiting.set(id, group.add(done));
    });
  }

  wake(id: string): void {
    for (const done of [...(this.waiting.get(id) ?? [])]) done();
  }

  /** Ends every wait, so that the server can close. */
  wakeAll(): void {
    for (const id of [...this.waiting.keys()]) this.wake(id);
  }

  /** How many polls wait now. */
  get size(): number {
    return [...this.waiting.values()].reduce((sum, group) => sum + group.size, 0);
  }

  private forget(id: string, done: () => void): void {
    const group = this.waiting.get(id);
    group?.delete(done);
    if (group?.size === 0) this.waiting.delete(id);
  }
}
