/**
 * Rule: the command is one of this server's actions. A name its action table does not hold runs nothing.
 * Source: DESIGN section 7. Refusal: UnknownTool; Unavailable while an upstream that may have it
 * cannot be listed.
 * Without it: a caller reaches inherited names (`constructor`, `__proto__`) of whatever the actions are stored in.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { ExecuteRequest } from '../../src/contract/wire.js';
import type { Actions } from '../actions/actions.js';
import { Passed } from '../states.js';

export async function checkCommandKnown(
  request: ExecuteRequest,
  actions: Actions,
): Promise<Passed<'known'>> {
  if (!(await actions.has(request.command))) throw new Refusal('UnknownTool', 'rs');
  return Passed.known(request);
}
