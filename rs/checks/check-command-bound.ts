/**
 * Rule: the live command is, character for character, the one the credential was minted for.
 * Source: RFC 9396 section 9; DESIGN section 7. Refusal: CredentialDrift.
 * Without it: an approval to read a task deletes it.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Passed, VerifiedClaims } from '../states.js';

export function checkCommandBound(call: VerifiedClaims): Passed<'command'> {
  if (call.facts.detail.command !== call.command) {
    throw new Refusal('CredentialDrift', 'rs', { path: 'command' });
  }
  return call.pass('command', call.facts);
}
