/**
 * Rule: the credential is a strict JWS in compact serialization whose header has `alg`, `typ` and `kid` and nothing else.
 * Source: RFC 7515 sections 4.1 and 7.1, RFC 8725 sections 3.1 and 3.10. Refusal: MalformedCredential.
 * Without it: `jku`, `x5u`, `jwk` let the sender bring the key; `crit` and `b64` change what is signed; a duplicate
 * member or a padded spelling is read one way here and another way in a log or a gateway.
 */
import { Refusal } from '../../src/contract/errors.js';
import { JwsError, parseJws } from '../jws.js';
import type { Passed } from '../states.js';

export function checkCredentialShape(call: Passed<'approval'>): Passed<'shape'> {
  try {
    return call.pass('shape', { ...call.facts, jws: parseJws(call.facts.credential) });
  } catch (error) {
    if (!(error instanceof JwsError)) throw error;
    throw new Refusal('MalformedCredential', 'rs', { detail: error.message });
  }
}
