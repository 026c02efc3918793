import { createHash } from 'node:crypto';
import type { Lane } from '../contract/wire.js';
import type { Peer } from './peer.js';

const MAX_SESSIONS = 10_000;

/** What a session set up at upstream servers, which then must be on connections of its own. */
interface Own {
  readonly logLevel?: string;
}

/**
 * Which connections to upstream servers a client uses. One that can be asked something, or has set something up there,
 * has its own, so that what an upstream says or asks on them is for this client. The others of one caller share.
 */
export class Lanes {
  private readonly owners = new Map<string, Own>();

  /** @param session what tells this client from others of its caller. @returns undefined for the shared ones */
  of(session: string, { capabilities, name }: Peer, logLevel?: string): Lane | undefined {
    const own = this.owners.get(session);
    if (own === undefined && Object.keys(capabilities).length === 0 && logLevel === undefined)
      return undefined;
    const level = logLevel ?? own?.logLevel;
    return {
      id: createHash('sha256').update(session).digest('base64url'),
      ...(name === undefined ? {} : { client: { name, version: '' } }),
      capabilities,
      ...(level === undefined ? {} : { log_level: level }),
    };
  }

  /** From now on the session has connections of its own. */
  claim(session: string, own: Own = {}): void {
    const before = this.owners.get(session);
    this.owners.delete(session);
    this.owners.set(session, { ...before, ...own });
    if (this.owners.size > MAX_SESSIONS) this.owners.delete(this.owners.keys().next().value ?? '');
  }

  release(session: string): void {
    this.owners.delete(session);
  }
}
