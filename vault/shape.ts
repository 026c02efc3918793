import type * as z from 'zod';
import type { RefusalCode } from '../src/contract/errors.js';
import type { Step } from '../src/contract/path.js';
import { pathOf } from '../src/contract/path.js';
import { refuse } from './refuse.js';

/**
 * The value, typed, if it has the shape of `schema`; nothing is coerced or filled in.
 * @throws Refusal `code` (MalformedRequest unless told) with the path of the first member that is wrong, below `within`.
 */
export function parseShape<T>(
  schema: z.ZodType<T>,
  value: unknown,
  code: RefusalCode = 'MalformedRequest',
  within: readonly Step[] = [],
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const steps = [...within, ...(issue === undefined ? [] : stepsOf(issue))];
  throw refuse(code, { path: pathOf(steps), detail: issue?.message ?? 'wrong shape' });
}

/** Where the issue is. For an unknown member zod names the object that holds it, so the member's own name is added. */
export function stepsOf(issue: z.core.$ZodIssue): Step[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? step.toString() : step));
  return issue.code === 'unrecognized_keys' ? [...path, ...issue.keys.slice(0, 1)] : path;
}
