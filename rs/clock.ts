/** Milliseconds since the epoch. Passed in everywhere; only a program's main reads the real one. */
export type Clock = () => number;
