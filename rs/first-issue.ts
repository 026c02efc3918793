import type * as z from 'zod';

/** One line for a person: the first member that does not fit, and why. */
export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
}
