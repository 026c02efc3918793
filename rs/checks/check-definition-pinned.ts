/**
 * Rule: the tool is what the operator accepted: the name, description, schemas and annotations it had when it was first
 * seen, or when the operator last accepted a change.
 * Source: MCP 2025-11-25 (tool annotations and descriptions are untrusted). Refusal: DefinitionChanged.
 * Without it: a server shows a harmless tool until it is trusted and then gives the same name to another.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Actions } from '../actions/actions.js';
import type { Passed } from '../states.js';

export function checkDefinitionPinned(call: Passed<'allowed'>, actions: Actions): Passed<'pinned'> {
  if (actions.isChanged(call.command)) throw new Refusal('DefinitionChanged', 'rs');
  return call.pass('pinned', call.facts);
}
