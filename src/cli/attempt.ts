import type { Layer, RefusalCode } from '../contract/errors.js';

/** A code and who gives it: a layer, or the person. */
export interface RefusedBy {
  readonly code: RefusalCode;
  readonly layer: Layer | 'approver';
}

/** What an attempt really came to, as the answer says it. */
export type Attempt =
  | { readonly kind: 'done'; readonly what: string }
  | { readonly kind: 'refused'; readonly code: string; readonly layer: string };

export function describe(attempt: Attempt): string {
  return attempt.kind === 'done' ? attempt.what : `${attempt.code} (${attempt.layer})`;
}
