/** Resolves with the signal when the person (or the system) asks this process to end. Each signal is heard once; a second one ends at once. */
export function askedToEnd(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
}
