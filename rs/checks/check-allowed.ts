/**
 * Rule: this server's own table does not deny the command. The exact name goes before the pattern with the most literal
 * characters; a command that nothing fits is gated.
 * Source: DESIGN section 7. Refusal: ToolDenied.
 * Without it: what the operator never wants to happen is one tired signature away.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { CommandTable } from '../config.js';
import { ruleOf } from '../config.js';
import type { Passed } from '../states.js';

export function checkAllowed(call: Passed<'known'>, commands: CommandTable): Passed<'allowed'> {
  const rule = ruleOf(call.command, commands);
  if (rule.mode === 'denied') throw new Refusal('ToolDenied', 'rs');
  return call.pass('allowed', { request: call.facts.request, rule });
}
