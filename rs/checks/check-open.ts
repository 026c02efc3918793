/**
 * Rule: without an approval only a command this server's own table opens may run, and only with arguments its schema
 * accepts as they are.
 * Source: DESIGN section 7. Refusal: ApprovalRequired, or MalformedRequest with the path of the argument.
 * Without it: an OpenAction could be made of a gated call, and the action handlers accept an OpenAction.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Actions } from '../actions/actions.js';
import type { OpenAction, Passed } from '../states.js';
import { isOpen } from './check-approval-present.js';

export function checkOpen(call: Passed<'scopes'>, actions: Actions): OpenAction {
  if (!isOpen(call)) throw new Refusal('ApprovalRequired', 'rs');
  actions.checkInput(call.command, call.args);
  return call.pass('open', { request: call.facts.request });
}
