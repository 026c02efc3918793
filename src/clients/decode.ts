import type * as z from 'zod';
import { type Layer, Refusal } from '../contract/errors.js';

/** A service's answer in its documented shape, or `Unavailable`: a peer that answers otherwise cannot be used. */
export function decode<T>(schema: z.ZodType<T>, answer: unknown, layer: Layer): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Refusal('Unavailable', 'bridge', {
    detail: `${layer} answered in an unknown shape at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  });
}
