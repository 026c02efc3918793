/**
 * Rule: `iss` is, character for character, the issuer in this server's configuration.
 * Source: RFC 9068 section 4, RFC 8725 section 3.8. Refusal: UnknownIssuer.
 * Without it: a key shared by two issuers (a staging vault on the same key store) makes credentials of one good for the other.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Passed } from '../states.js';

export function checkIssuer(call: Passed<'signature'>, expectedIssuer: string): Passed<'issuer'> {
  if (call.facts.claims.iss !== expectedIssuer) {
    throw new Refusal('UnknownIssuer', 'rs', { detail: 'iss' });
  }
  return call.pass('issuer', call.facts);
}
