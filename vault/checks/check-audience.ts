/**
 * Rule: the resource server asked for is one the vault mints for, and in form 2 the very one the human signed for.
 * Source: RFC 8707 section 2; DESIGN section 7. Refusal: PayloadDriftAtMint.
 * Without it: a consent to act on one system could be turned into a credential for another.
 */
import type { Consent } from '../consent.js';
import { refuse } from '../refuse.js';

/** `resource` is absent when a signature is only examined; form 1 names no audience of its own. */
export function checkAudience(
  { payload }: Consent,
  resource: string | undefined,
  audiences: readonly string[],
): void {
  const named = [
    ...('aud' in payload ? [payload.aud] : []),
    ...(resource === undefined ? [] : [resource]),
  ];
  if (new Set(named).size > 1 || !named.every((audience) => audiences.includes(audience))) {
    throw refuse('PayloadDriftAtMint', { path: 'aud' });
  }
}
