/** What a child writes to its stderr, as lines of this server's: named, escaped, bounded in length and rate. */
import { displayText } from '../../src/contract/display.js';
import type { Clock } from '../clock.js';
import { RateLimit } from './rate-limit.js';

const MAX_LINE = 500;
const LINES_PER_SECOND = 20;

/** @returns takes the chunks of the child's stderr as they come */
export function childStderr(
  upstream: string,
  clock: Clock,
  print: (line: string) => void,
): (chunk: Buffer) => void {
  const rate = new RateLimit(LINES_PER_SECOND, clock);
  let held = '';
  return (chunk) => {
    const lines = (held + chunk.toString('utf8')).split('\n');
    held = (lines.pop() ?? '').slice(0, MAX_LINE);
    for (const line of lines) {
      if (line.trim() === '' || !rate.take()) continue;
      print(`upstream ${upstream}: ${displayText(line.replace(/\r$/, '').slice(0, MAX_LINE))}`);
    }
  };
}
