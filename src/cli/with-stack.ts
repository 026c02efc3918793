import { askedToEnd } from './shutdown.js';
import type { Stack } from './stack.js';
import { findStack, startTemporaryStack } from './stack.js';

/**
 * Runs `use` on the stack that `bridge up` runs on the data directory, else on one of its own in a temporary directory,
 * which is gone afterwards whatever happened. Returns its exit code; 1 when a domain died or it was interrupted.
 */
export async function withStack(
  data: string,
  use: (stack: Stack) => Promise<number>,
): Promise<number> {
  const running = await findStack(data);
  if (running) return use(running);
  process.stderr.write(`No stack runs on ${data}; starting one on a temporary directory.\n`);
  const interrupted = askedToEnd().then((signal) => `interrupted by ${signal}`);
  let die: (line: string) => void = () => undefined;
  const died = new Promise<string>((resolve) => (die = resolve));
  const stack = await startTemporaryStack((line) => die(line));
  try {
    const result = await Promise.race([use(stack), interrupted, died]);
    if (typeof result === 'number') return result;
    process.stderr.write(`bridge: ${result}\n`);
    return 1;
  } finally {
    await stack.stop();
  }
}
