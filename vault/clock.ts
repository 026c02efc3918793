/** Milliseconds since the epoch. Passed in everywhere: a check that reads a global clock cannot be tested. */
export type Clock = () => number;

/** Whole POSIX seconds, rounded down: the unit of every time on the wire. */
export function posixSecondsOf(clock: Clock): number {
  return Math.floor(clock() / 1000);
}
