import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { jsonObject } from '../contract/payload.js';
import type { Caller } from '../contract/wire.js';
import type { Peer } from './peer.js';

/**
 * A 2025-era session without server state: the `Mcp-Session-Id` itself carries what `initialize` declared, sealed and
 * bound to the caller. Sessions so survive a restart and work on any replica that shares the gate key.
 */
export interface LegacySession {
  readonly id: string;
  readonly peer: Peer;
}

const body = z.strictObject({
  n: z.string(),
  u: z.boolean(),
  c: z.string().optional(),
  a: jsonObject.optional(),
});

export class LegacySessions {
  private readonly key: Buffer;

  constructor(key: Buffer) {
    this.key = Buffer.from(hkdfSync('sha256', key, '', 'consent-bridge legacy-session', 32));
  }

  open(peer: Peer, caller: Caller): LegacySession {
    const text = JSON.stringify({
      n: randomBytes(16).toString('base64url'),
      u: peer.elicitation === 'url',
      ...(peer.name === undefined ? {} : { c: peer.name }),
      ...(Object.keys(peer.capabilities).length === 0 ? {} : { a: peer.capabilities }),
    });
    const sealed = Buffer.from(text, 'utf8').toString('base64url');
    return { id: `${sealed}.${this.tag(sealed, caller)}`, peer };
  }

  /** The session an id stands for, or undefined when it is not one of ours for this caller. */
  find(id: string, caller: Caller): LegacySession | undefined {
    const [sealed = '', tag = '', ...rest] = id.split('.');
    // As text, since a lenient decoder would give one session many ids.
    const [given, expected] = [Buffer.from(tag), Buffer.from(this.tag(sealed, caller))];
    if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
      return undefined;
    const { u, c, a } = body.parse(JSON.parse(Buffer.from(sealed, 'base64url').toString('utf8')));
    return { id, peer: { elicitation: u ? 'url' : 'none', name: c, capabilities: a ?? {} } };
  }

  private tag(sealed: string, caller: Caller): string {
    const bound = JSON.stringify([sealed, caller.subject, caller.client_id]);
    return createHmac('sha256', this.key).update(bound).digest('base64url');
  }
}
