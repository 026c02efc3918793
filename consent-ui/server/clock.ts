/** Milliseconds since 1970-01-01T00:00:00Z. Passed in, so that a test owns the time. */
export type Clock = () => number;

/** Whole POSIX seconds, as times travel on the wire. */
export function posixSecondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}
