import { createHash, createHmac } from 'node:crypto';
import type { Clock } from './clock.js';
import { posixSecondsOf } from './clock.js';
import type { SessionStore, StoredSession } from './store/session-store.js';

/** `size` unpredictable bytes. */
export type RandomBytes = (size: number) => Buffer;

/** In place of a key id in a session that no key began. No key has it: they are thumbprints. */
export const NO_KEY = '';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Who is signed in, by a random 32-byte token (base64url) that only the browser holds: here lies its SHA-256. */
export class Sessions {
  constructor(
    private readonly deps: {
      readonly store: SessionStore;
      readonly clock: Clock;
      readonly random: RandomBytes;
      readonly ttlSeconds: number;
    },
  ) {}

  /**
   * Begins a session and ends the one the browser came with, so a token known before sign-in is worth nothing after it
   * (session fixation, OWASP ASVS 7.2.4).
   */
  begin(
    who: { approverId: string; keyId: string | undefined },
    replaces: string | undefined,
  ): string {
    if (replaces !== undefined) this.end(replaces);
    const token = this.deps.random(32).toString('base64url');
    this.deps.store.insert(hashOf(token), {
      approver_id: who.approverId,
      key_id: who.keyId ?? NO_KEY,
      exp: posixSecondsOf(this.deps.clock()) + this.deps.ttlSeconds,
    });
    return token;
  }

  find(token: string): StoredSession | undefined {
    if (!TOKEN.test(token)) return undefined;
    return this.deps.store.find(hashOf(token), posixSecondsOf(this.deps.clock()));
  }

  /** True when the token had a session. */
  end(token: string): boolean {
    return this.deps.store.remove(hashOf(token));
  }
}

/** The token a page of this session must send back as `x-csrf-token`: derived, so it lives and dies with the session. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('consent-ui csrf').digest('base64url');
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
