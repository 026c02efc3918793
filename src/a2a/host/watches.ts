import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteAgent } from './remote-agent.js';
import type { RemoteCall } from './remote-store.js';

/** Milliseconds between two looks: when polling, after a stream broke, and beside push notifications. */
const POLL_MS = 1000;
const RECONNECT_MS = 1000;
const BESIDE_PUSH_MS = 15_000;
const MAX_WATCHES = 2000;

export interface WatchesOptions {
  /** Key of the tokens under which push notifications are taken. */
  readonly key: Buffer;
  /** Base address of this bridge. */
  readonly url: string;
  /** Looks at the task and says whether it is still parked. */
  readonly refresh: (call: RemoteCall) => Promise<boolean>;
}

interface Watch {
  readonly stop: AbortController;
  /** Ends the current pause early. */
  wake: () => void;
  /** A notification came after the last look had begun, so it may have missed what it is about. */
  isStale: boolean;
}

/**
 * Keeps an eye on parked remote tasks by stream, polling or push notification. All three only say "look again": what
 * counts is the task as the agent gives it when asked.
 */
export class Watches {
  private readonly live = new Map<string, Watch>();

  constructor(private readonly options: WatchesOptions) {}

  start(call: RemoteCall, agent: RemoteAgent): void {
    if (this.live.has(call.id) || this.live.size >= MAX_WATCHES) return;
    const watch: Watch = { stop: new AbortController(), wake: () => undefined, isStale: false };
    this.live.set(call.id, watch);
    void this.run(call, agent, watch).finally(() => this.live.delete(call.id));
  }

  /** A push notification came for this call. False when it is not from the agent we told the token. */
  notified(id: string, token: string): boolean {
    const expected = Buffer.from(this.tokenOf(id));
    const given = Buffer.from(token);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    const watch = this.live.get(id);
    if (watch !== undefined) watch.isStale = true;
    watch?.wake();
    return true;
  }

  close(): void {
    for (const { stop } of this.live.values()) stop.abort();
  }

  private async run(call: RemoteCall, agent: RemoteAgent, watch: Watch): Promise<void> {
    const { signal } = watch.stop;
    const updates = agent.config.updates ?? 'stream';
    if (updates === 'push') await this.register(call, agent).catch(() => undefined);
    do {
      if (updates === 'stream') await this.follow(call, agent, signal);
      watch.isStale = false;
      if (!(await this.options.refresh(call).catch(() => true))) return;
      await this.pause(watch, pauseOf(updates));
    } while (!signal.aborted);
  }

  /** Until the stream ends or the task is no longer parked. */
  private async follow(call: RemoteCall, agent: RemoteAgent, signal: AbortSignal): Promise<void> {
    try {
      const hints = agent.hints(call.subject, call.taskId ?? '', signal);
      while ((await hints.next()).done !== true) if (!(await this.options.refresh(call))) return;
    } catch {
      // Cut, or the agent is away: the pause follows, then another try.
    }
  }

  private async register(call: RemoteCall, agent: RemoteAgent): Promise<void> {
    await agent.notify(call.subject, {
      tenant: '',
      id: call.id,
      taskId: call.taskId ?? '',
      url: `${this.options.url}/a2a/notifications/${call.id}`,
      token: this.tokenOf(call.id),
      authentication: undefined,
    });
  }

  private async pause(watch: Watch, ms: number): Promise<void> {
    if (watch.isStale) return;
    const woken = new AbortController();
    watch.wake = () => woken.abort();
    const signal = AbortSignal.any([woken.signal, watch.stop.signal]);
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  private tokenOf(id: string): string {
    return createHmac('sha256', this.options.key).update(`push ${id}`).digest('base64url');
  }
}

function pauseOf(updates: 'stream' | 'poll' | 'push'): number {
  return updates === 'poll' ? POLL_MS : updates === 'push' ? BESIDE_PUSH_MS : RECONNECT_MS;
}
