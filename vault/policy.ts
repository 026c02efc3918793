import { mostSpecific } from '../src/contract/patterns.js';

/** Who may approve what, as configured. Entries are approver ids; the word `subject` is the subject the call is made for. */
export interface Policy {
  readonly default: readonly string[];
  /** By command name or pattern; see contract/patterns.ts. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

/** True if the approver may approve the command. */
export type MayApprove = (approverId: string, command: string) => boolean;

/** The policy for calls made for `subject`: the most specific name or pattern decides, else the default. */
export function policyFor(policy: Policy, subject: string): MayApprove {
  return (approverId, command) =>
    approversOf(policy, command).some((entry) =>
      entry === SUBJECT ? approverId === subject : approverId === entry,
    );
}

/**
 * The policy where the subject is not known yet: the word `subject` lets anyone pass. For examining a signature only;
 * minting asks again with the subject.
 */
export function policyForAnySubject(policy: Policy): MayApprove {
  return (approverId, command) =>
    approversOf(policy, command).some((entry) => entry === SUBJECT || entry === approverId);
}

const SUBJECT = 'subject';

function approversOf(policy: Policy, command: string): readonly string[] {
  return mostSpecific(new Map(Object.entries(policy.commands)), command) ?? policy.default;
}
