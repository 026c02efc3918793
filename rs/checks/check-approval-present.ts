/**
 * Rule: a gated command comes with a credential and the signed payload it was minted from. A call that brings either
 * to an open command is judged as gated: a credential that is presented is verified and spent, never ignored.
 * Source: DESIGN section 7; which commands are gated is this server's configuration, not the bridge's.
 * Refusal: ApprovalRequired. Without it: a bridge that was taken over simply leaves the credential out.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Passed } from '../states.js';

/** True if the call needs no approval: open in the table, and none presented. */
export function isOpen(call: Passed<'scopes'>): boolean {
  const { rule, request } = call.facts;
  return rule.mode === 'open' && request.credential === undefined && request.signed === undefined;
}

export function checkApprovalPresent(call: Passed<'scopes'>): Passed<'approval'> {
  const { request } = call.facts;
  const { credential, signed } = request;
  if (credential === undefined || signed === undefined) throw new Refusal('ApprovalRequired', 'rs');
  return call.pass('approval', { request, credential, signed });
}
