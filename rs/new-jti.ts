import { randomBytes } from 'node:crypto';

/** 32 hex digits, time ordered, never the same twice: 12 of milliseconds, 20 of randomness. */
export function newJti(milliseconds: number): string {
  return milliseconds.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
}
