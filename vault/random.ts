import type { Clock } from './clock.js';

/** That many cryptographically random bytes. */
export type Random = (size: number) => Buffer;

/** 256 random bits, base64url: for anything that must not be guessed. */
export function unguessable(random: Random): string {
  return random(32).toString('base64url');
}

/**
 * A fresh `jti`: 12 hex digits of milliseconds, then 80 random bits as 20. Time-ordered, so that a single-use store
 * keyed on it appends instead of writing all over its tree (DESIGN section 11).
 */
export function newJti(clock: Clock, random: Random): string {
  return clock().toString(16).padStart(12, '0') + random(10).toString('hex');
}
