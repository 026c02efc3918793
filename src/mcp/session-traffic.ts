import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../contract/json.js';

type Deliver = (message: JSONRPCMessage) => void;

const MAX_OPEN = 10_000;

/**
 * What belongs together across the HTTP requests of a 2025-era session: our requests to the client, answered with a POST
 * of their own, and the client's requests under way, cancelled with one.
 */
export class SessionTraffic {
  private readonly asked = new Map<string, Deliver>();
  private readonly underWay = new Map<string, Deliver>();

  /**
   * Gives what a server asks through this transport an id that is unique in the session, and remembers where its answer
   * goes. Returns the end of that.
   */
  follow(session: string, transport: Transport, requestId: unknown): () => void {
    const deliver: Deliver = (message) => transport.onmessage?.(message);
    const keys: string[] = [];
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!('method' in message && 'id' in message)) return send(message, options);
      const { id } = message;
      const unique = randomUUID();
      const asked = key(session, unique);
      keys.push(asked);
      this.asked.set(asked, (answer) => deliver({ ...answer, id }));
      drop(this.asked);
      return send({ ...message, id: unique }, options);
    };
    const own = requestId === undefined ? undefined : key(session, requestId);
    if (own !== undefined) this.underWay.set(own, deliver);
    drop(this.underWay);
    return () => {
      for (const asked of keys) this.asked.delete(asked);
      if (own !== undefined && this.underWay.get(own) === deliver) this.underWay.delete(own);
    };
  }

  /** Hands on a message that answers or cancels something of this session. True if it was one. */
  take(session: string, message: unknown): boolean {
    if (!isJsonObject(message)) return false;
    const { id, method, params } = message;
    if (method === 'notifications/cancelled' && isJsonObject(params)) {
      this.underWay.get(key(session, params['requestId']))?.(message as unknown as JSONRPCMessage);
      return true;
    }
    if (method !== undefined || id === undefined) return false;
    const asked = key(session, id);
    const deliver = this.asked.get(asked);
    this.asked.delete(asked);
    deliver?.(message as unknown as JSONRPCMessage);
    return true;
  }
}

function key(session: string, id: unknown): string {
  return JSON.stringify([session, id]);
}

function drop(map: Map<string, Deliver>): void {
  if (map.size > MAX_OPEN) map.delete(map.keys().next().value ?? '');
}
