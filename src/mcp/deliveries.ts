/** Answers on their way to clients: what follows once one has arrived, and waiting until all have. */
import type { AuthInfo } from '@modelcontextprotocol/server';
import { ServerResponse } from 'node:http';

/** Member of `AuthInfo.extra` that carries the HTTP response of the request. */
const RESPONSE = 'response';

export class Deliveries {
  private readonly underWay = new Set<Promise<void>>();

  /** The caller of a request, together with the response they will get. */
  withResponse(auth: AuthInfo, response: ServerResponse): AuthInfo {
    return { ...auth, extra: { ...auth.extra, [RESPONSE]: response } };
  }

  /** Counts this response among those that {@link drained} waits for. */
  follow(response: ServerResponse): void {
    const over = new Promise<void>((resolve) => response.once('close', resolve));
    this.underWay.add(over);
    void over.then(() => this.underWay.delete(over));
  }

  /** Resolves when every followed response has left, or its client has. */
  async drained(): Promise<void> {
    await Promise.all(this.underWay);
  }
}

/**
 * Runs `then` once the response of this request has been handed to the network; never if the connection broke before.
 * Where there is no HTTP response (stdio), at once.
 */
export function onceDelivered(auth: AuthInfo | undefined, then: () => void): void {
  const response = auth?.extra?.[RESPONSE];
  if (response instanceof ServerResponse) response.once('finish', then);
  else then();
}
