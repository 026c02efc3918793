/**
 * Rule: the credential carries exactly one authorization detail, of a type this server knows.
 * Source: RFC 9396 sections 2 and 5. Refusal: MalformedCredential.
 * Without it: reading the first of several lets a second one ride along unread; an unknown type means its command was
 * defined by somebody else.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Passed, VerifiedClaims } from '../states.js';

export function checkAuthorizationDetail(
  call: Passed<'client'>,
  knownTypes: readonly string[],
): VerifiedClaims {
  const [detail, ...others] = call.facts.claims.authorization_details;
  if (detail === undefined || others.length > 0 || !knownTypes.includes(detail.type)) {
    throw new Refusal('MalformedCredential', 'rs', { detail: 'authorization_details' });
  }
  return call.pass('detail', { ...call.facts, detail });
}
