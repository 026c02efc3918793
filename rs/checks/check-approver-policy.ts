/**
 * Rule: this approver may approve this command, by this server's own policy. The word `subject` in a list stands for the
 * person the caller acts for. An exact command name goes before the longest `prefix*`, and that before the default.
 * Source: DESIGN section 7. Refusal: PolicyDenied. The vault has a policy and a matcher of its own, on purpose.
 * Without it: any enrolled person can approve anybody's action: a colleague, or a second account of the agent's owner.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { BoundAction, Passed } from '../states.js';

export interface ApproverPolicy {
  /** Approver ids, or `subject`. */
  readonly default: readonly string[];
  /** By command name, or by a prefix and a final `*`. */
  readonly commands: ReadonlyMap<string, readonly string[]>;
}

export function checkApproverPolicy(call: Passed<'human'>, policy: ApproverPolicy): BoundAction {
  const approver = call.facts.claims.sub;
  const { subject } = call.facts.request.caller;
  const allowed = approversOf(call.command, policy).map((id) => (id === 'subject' ? subject : id));
  if (!allowed.includes(approver)) throw new Refusal('PolicyDenied', 'rs');
  return call.pass('policy', call.facts);
}

function approversOf(command: string, policy: ApproverPolicy): readonly string[] {
  const exact = policy.commands.get(command);
  if (exact !== undefined) return exact;
  const [longest] = [...policy.commands]
    .filter(([name]) => name.endsWith('*') && command.startsWith(name.slice(0, -1)))
    .sort(([a], [b]) => b.length - a.length);
  return longest?.[1] ?? policy.default;
}
