/**
 * Rule: the caller holds every scope this server's own table asks for the command. A command the table does not name
 * is gated.
 * Source: DESIGN section 7 and 12.6 (scope refusals come before the gate). Refusal: Unauthorized with the missing scopes.
 * Without it: a caller who may only read gets a person to sign a write, or writes through an open command.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { CommandTable } from '../config.js';
import type { Passed } from '../states.js';

/** What holds for a command the table does not name. */
const GATED = { scopes: [], mode: 'gated' } as const;

export function checkScopes(call: Passed<'known'>, commands: CommandTable): Passed<'scopes'> {
  const { request } = call.facts;
  const rule = commands.get(call.command) ?? GATED;
  const missingScopes = rule.scopes.filter((scope) => !request.caller.scopes.includes(scope));
  if (missingScopes.length > 0) throw new Refusal('Unauthorized', 'rs', { missingScopes });
  return call.pass('scopes', { request, gated: rule.mode !== 'open' });
}
