import { createHash } from 'node:crypto';
import { isJsonObject } from '../contract/json.js';

const MAX_REMEMBERED = 10_000;

/**
 * JSON-RPC ids already used in a session (MCP: an id must not be used twice). The same id with the same content is a
 * retransmission and harmless; with other content it could be taken for the answer to the first.
 */
export class RequestIds {
  private readonly seen = new Map<string, string>();

  /** True when this session used the id before for something else. Remembers it otherwise. */
  conflicts(session: string, message: unknown): boolean {
    if (!isJsonObject(message) || message['method'] === undefined || message['id'] === undefined)
      return false;
    const key = JSON.stringify([session, message['id']]);
    const content = createHash('sha256').update(JSON.stringify(message)).digest('base64url');
    const before = this.seen.get(key);
    if (before !== undefined) return before !== content;
    this.seen.set(key, content);
    if (this.seen.size > MAX_REMEMBERED) this.seen.delete(this.seen.keys().next().value ?? '');
    return false;
  }
}
