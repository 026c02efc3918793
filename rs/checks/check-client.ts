/**
 * Rule: the credential's `client_id` is the client that calls. Only a form 1 approval, which names no client, may lack it.
 * Source: RFC 9068 section 2.2 (`client_id`); DESIGN section 6. Refusal: WrongClient.
 * Without it: an agent that sees another agent's credential (a shared log, a shared bridge) spends it as its own.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Passed } from '../states.js';

export function checkClient(call: Passed<'lifetime'>): Passed<'client'> {
  const { claims, request } = call.facts;
  const unbound = claims.client_id === undefined && claims.consent.form === 1;
  if (!unbound && claims.client_id !== request.caller.client_id) {
    throw new Refusal('WrongClient', 'rs');
  }
  return call.pass('client', call.facts);
}
