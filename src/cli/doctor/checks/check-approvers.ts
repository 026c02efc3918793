import * as z from 'zod';
import { askDomain } from '../../domain-command.js';
import type { Finding, Patient } from '../finding.js';
import { note, ok, wrong } from '../finding.js';

const pinned = z.looseObject({ keys: z.array(z.looseObject({ revoked: z.boolean() })) });

/** The resource server has, or will have, a key of an approver to verify signatures with. */
export async function checkApprovers({ data, configs }: Patient): Promise<readonly Finding[]> {
  if (configs.rs.approvers.trust_on_enrolment)
    return [
      note(
        'rs trusts a key when the vault says it is enrolled, so a lying vault could add one',
        'for more than one machine: rs approvers.trust_on_enrolment false, then bridge approver trust',
      ),
    ];
  const { keys } = pinned.parse(await askDomain(data, 'rs', ['list-approvers']));
  const active = keys.filter(({ revoked }) => !revoked).length;
  return active > 0
    ? [ok(`rs trusts ${active} approver key(s)`)]
    : [
        wrong(
          'rs trusts no approver key, so nothing gated can run',
          'bridge approver trust --approver ID',
        ),
      ];
}
