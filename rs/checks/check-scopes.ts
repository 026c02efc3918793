/**
 * Rule: the caller holds every scope this server's own table asks for the command.
 * Source: DESIGN section 7 and 12.6 (scope refusals come before the gate). Refusal: Unauthorized with the missing scopes.
 * Without it: a caller who may only read gets a person to sign a write, or writes through an open command.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Passed } from '../states.js';

export function checkScopes(call: Passed<'pinned'>): Passed<'scopes'> {
  const { request, rule } = call.facts;
  const missingScopes = rule.scopes.filter((scope) => !request.caller.scopes.includes(scope));
  if (missingScopes.length > 0) throw new Refusal('Unauthorized', 'rs', { missingScopes });
  return call.pass('scopes', call.facts);
}
