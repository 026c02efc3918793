import type { ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../contract/json.js';

const EVERY_MS = 5000;

/**
 * Progress of one request, of the wait for a person and then of the tool, as one series that only rises (MCP: progress
 * must increase). Says nothing to a client that did not ask for it.
 */
export class Progress {
  private last = 0;
  private base = 0;

  /** Tells every 5 s how long the call has waited. Returns the stop. */
  whileWaiting(ctx: ServerContext, totalSeconds: number): () => void {
    let waited = 0;
    const send = (): void => {
      const message = 'Waiting for a person to approve';
      this.send(ctx, waited, { total: totalSeconds, message });
      waited += EVERY_MS / 1000;
    };
    send();
    const timer = setInterval(send, EVERY_MS);
    return () => {
      clearInterval(timer);
      this.base = this.last;
    };
  }

  /** Passes on what the tool says of its own progress. */
  ofTool(ctx: ServerContext, { progress, total, ...more }: JsonObject): void {
    if (typeof progress !== 'number') return;
    this.send(ctx, this.base + progress, {
      ...more,
      ...(typeof total === 'number' ? { total: this.base + total } : {}),
    });
  }

  private send(ctx: ServerContext, progress: number, more: JsonObject): void {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    this.last = progress;
    const params = { ...more, progressToken, progress };
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }
}
