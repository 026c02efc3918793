/**
 * Rule: `aud` is this resource server, as a string or as an array that names it alone.
 * Source: RFC 7519 section 4.1.3, RFC 8725 section 3.9; DESIGN section 6. Refusal: WrongAudience.
 * The vault matches audiences with code of its own, on purpose.
 * Without it: another resource server that was shown a credential replays it here; with an array of several, two
 * servers may each run the one action the human signed once.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Passed } from '../states.js';

export function checkAudience(
  call: Passed<'issuer'>,
  expectedAudience: string,
): Passed<'audience'> {
  const { aud } = call.facts.claims;
  const audiences = typeof aud === 'string' ? [aud] : aud;
  if (audiences.length !== 1 || audiences[0] !== expectedAudience) {
    throw new Refusal('WrongAudience', 'rs');
  }
  return call.pass('audience', call.facts);
}
