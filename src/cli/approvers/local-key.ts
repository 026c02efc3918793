import { displayText } from '../../contract/display.js';
import { createApproverKey, readApproverKey } from '../approver-key.js';
import type { AddKeyOptions, KeygenOptions } from '../commands/approver.js';
import { readConfig } from '../data-directory.js';
import { runDomain } from '../domain-command.js';
import { publicJwk, thumbprint } from '../jwk.js';
import { print } from '../print.js';

/** Makes a local key for a terminal approver. */
export function keygen({ out, approver }: KeygenOptions): void {
  const keyId = createApproverKey(out, approver);
  print(
    `Wrote ${out}; keep it secret. Its thumbprint is ${keyId}.`,
    `Enrol it with:  bridge approver add-key --approver ${approver ?? 'ID'} --key ${out}`,
  );
}

/** Enrols its public half. Only that goes on: the arguments of a process are visible to others. */
export async function addKey({ data, approver, key, label }: AddKeyOptions): Promise<void> {
  const jwk = publicJwk(readApproverKey(key));
  const what = ['--public-jwk', JSON.stringify(jwk), '--label', label];
  await runDomain(data, 'vault', ['add-key', '--approver', approver, ...what]);
  print(`${displayText(approver)} may now sign with the key ${thumbprint(readApproverKey(key))}.`);
  if (!readConfig(data, 'rs').approvers.trust_on_enrolment)
    print(`The resource server takes it after:  bridge approver trust --approver ${approver}`);
}
