/**
 * Rule: the action's own schema accepts the arguments as they are: nothing is coerced, defaulted or dropped.
 * Source: DESIGN section 5 ("nothing is normalised"). Refusal: MalformedRequest with the path of the argument.
 * Without it: a typing error costs the human's signature. That is why it stands before the credential is spent, and
 * after the human's signature: nobody learns the schema's answer for arguments no human agreed to.
 */
import type { Actions } from '../actions/actions.js';
import type { BoundAction, Passed } from '../states.js';

export function checkInput(call: BoundAction, actions: Actions): Passed<'input'> {
  actions.checkInput(call.command, call.args);
  return call.pass('input', call.facts);
}
