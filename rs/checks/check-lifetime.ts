/**
 * Rule: `iat` is not after `exp` and not in the future, `exp` is not past, `nbf` (if any) is reached; clocks may differ by 30 s.
 * Source: RFC 7519 sections 4.1.4 to 4.1.6. Refusals: CredentialExpired; MalformedCredential for the rest.
 * Without it: a credential kept in a log is good for ever, and an approval outlives the deadline the human read.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Passed } from '../states.js';

/** Seconds the clocks of vault and resource server may differ. */
export const CLOCK_SKEW_SECONDS = 30;

/** @param nowMs milliseconds since the epoch, from this server's clock */
export function checkLifetime(call: Passed<'audience'>, nowMs: number): Passed<'lifetime'> {
  const { iat, exp, nbf } = call.facts.claims;
  const latest = nowMs / 1000 + CLOCK_SKEW_SECONDS;
  if (iat > exp) throw new Refusal('MalformedCredential', 'rs', { detail: 'iat after exp' });
  if (iat > latest) throw new Refusal('MalformedCredential', 'rs', { detail: 'iat in the future' });
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= latest)) {
    throw new Refusal('MalformedCredential', 'rs', { detail: 'nbf' });
  }
  if (nowMs / 1000 >= exp + CLOCK_SKEW_SECONDS) throw new Refusal('CredentialExpired', 'rs');
  return call.pass('lifetime', call.facts);
}
