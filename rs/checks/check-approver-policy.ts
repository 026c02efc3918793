/**
 * Rule: this approver may approve this command, by this server's own policy. The word `subject` in a list stands for the
 * person the caller acts for. The exact command name goes before the pattern with the most literal characters, and that before the default.
 * Source: DESIGN section 7. Refusal: PolicyDenied. The vault has a policy and a matcher of its own, on purpose.
 * Without it: any enrolled person can approve anybody's action: a colleague, or a second account of the agent's owner.
 */
import { Refusal } from '../../src/contract/errors.js';
import { mostSpecific } from '../../src/contract/patterns.js';
import type { BoundAction, Passed } from '../states.js';

export interface ApproverPolicy {
  /** Approver ids, or `subject`. */
  readonly default: readonly string[];
  /** By command name or pattern. */
  readonly commands: ReadonlyMap<string, readonly string[]>;
}

export function checkApproverPolicy(call: Passed<'human'>, policy: ApproverPolicy): BoundAction {
  const approver = call.facts.claims.sub;
  const { subject } = call.facts.request.caller;
  const listed = mostSpecific(policy.commands, call.command) ?? policy.default;
  const allowed = listed.map((id) => (id === 'subject' ? subject : id));
  if (!allowed.includes(approver)) throw new Refusal('PolicyDenied', 'rs');
  return call.pass('policy', call.facts);
}
