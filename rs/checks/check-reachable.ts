/**
 * Rule: what runs the command can be reached now: the connection to its upstream is open and was just heard of.
 * Source: DESIGN section 7. Refusal: Unavailable, or RateLimited if too many clients are connected there.
 * Without it: an upstream that is down costs the human's signature. That is why it stands before the credential is spent.
 */
import type { Actions } from '../actions/actions.js';
import type { Passed } from '../states.js';

export async function checkReachable(
  call: Passed<'input'>,
  actions: Actions,
  service: string,
): Promise<Passed<'reachable'>> {
  await actions.ready(call.facts.request, service);
  return call.pass('reachable', call.facts);
}
