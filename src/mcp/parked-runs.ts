import { randomUUID } from 'node:crypto';
import type { Conversation } from './conversation.js';

/** How long a run waits for its client to come back with answers, milliseconds. */
const PATIENCE_MS = 300_000;
const MAX_PARKED = 1000;

/**
 * Runs that wait for the next request of their 2026-07-28 client. They live in this process: after a restart an open
 * call is made anew, and of a gated one the outcome is told.
 */
export class ParkedRuns {
  private readonly parked = new Map<
    string,
    { readonly conversation: Conversation; readonly timer: NodeJS.Timeout }
  >();

  /** @returns the id under which {@link take} finds it, once */
  park(conversation: Conversation): string {
    const id = randomUUID();
    const timer = setTimeout(() => {
      this.parked.delete(id);
      conversation.end();
    }, PATIENCE_MS).unref();
    this.parked.set(id, { conversation, timer });
    const oldest = this.parked.keys().next().value;
    if (this.parked.size > MAX_PARKED && oldest !== undefined) this.take(oldest)?.end();
    return id;
  }

  take(id: string): Conversation | undefined {
    const found = this.parked.get(id);
    if (found === undefined) return undefined;
    clearTimeout(found.timer);
    this.parked.delete(id);
    return found.conversation;
  }

  /** The process is to end. */
  close(): void {
    for (const id of [...this.parked.keys()]) this.take(id)?.end();
  }
}
