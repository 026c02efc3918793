import { asciiString } from './form1.js';

/** One step from a container to what it holds: a member name or a list index. */
export type Step = string | number;

const SIMPLE = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/**
 * Where in a JSON value something is, in the notation of CANONICAL.md: `args.items[3].name`. The root is the empty
 * string; a name that is not a plain identifier stands in brackets as an ASCII JSON string: `args["we ird"]`.
 */
export function pathOf(steps: readonly Step[]): string {
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (!SIMPLE.test(step)) path += `[${asciiString(step)}]`;
    else path += path === '' ? step : `.${step}`;
  }
  return path;
}
