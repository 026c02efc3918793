/** What changed in a tool's definition, for an operator's terminal. Hostile text is shown, never obeyed. */
import { displayText } from '../src/contract/display.js';
import type { JsonObject } from '../src/contract/json.js';
import type { Pin } from './store/pins.js';

/** Lines of context around a change. */
const CONTEXT = 3;
/** Comparisons; beyond them the whole differing part is shown as removed and added. */
const MAX_COMPARISONS = 4_000_000;

type Mark = ' ' | '-' | '+';
interface Line {
  readonly mark: Mark;
  readonly text: string;
}

/** Unified, of the JSON with one member per line: `-` is what was accepted, `+` what the upstream says now. */
export function definitionDiff({ upstream, tool, accepted, changed }: Pin): string {
  if (changed === undefined) return '';
  const lines = diff(linesOf(accepted.definition), linesOf(changed.definition));
  const shown = lines
    .filter((_, i) => nearChange(lines, i))
    .map(({ mark, text }) => mark + displayText(text));
  const of = displayText(`${upstream}: ${tool}`);
  return [
    `--- ${of}, accepted ${accepted.digest}`,
    `+++ ${of}, now ${changed.digest}`,
    ...shown,
  ].join('\n');
}

function linesOf(definition: JsonObject): string[] {
  return JSON.stringify(definition, null, 2).split('\n');
}

function nearChange(lines: readonly Line[], at: number): boolean {
  return lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ mark }) => mark !== ' ');
}

function diff(before: readonly string[], after: readonly string[]): Line[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const middle = compare(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  );
  const end = before.slice(before.length - tail);
  return [...marked(' ', before.slice(0, head)), ...middle, ...marked(' ', end)];
}

function marked(mark: Mark, texts: readonly string[]): Line[] {
  return texts.map((text) => ({ mark, text }));
}

/** By the longest common subsequence. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  if ((before.length + 1) * width > MAX_COMPARISONS) {
    return [...marked('-', before), ...marked('+', after)];
  }
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, young] = [before[i], after[j]];
    if (old !== undefined && old === young) {
      lines.push({ mark: ' ', text: old });
      i++;
      j++;
    } else if (old !== undefined && (young === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: '-', text: old });
      i++;
    } else if (young !== undefined) {
      lines.push({ mark: '+', text: young });
      j++;
    }
  }
  return lines;
}
