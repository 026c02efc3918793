import type { RevokeOptions } from '../commands/approver.js';
import { runDomain } from '../domain-command.js';
import { print } from '../print.js';
import { UsageError } from '../usage-error.js';

/** Ends keys on both sides. One side that knows no such key is no failure; both are. */
export async function revoke({ data, approver, keyId }: RevokeOptions): Promise<void> {
  if ((approver === undefined) === (keyId === undefined))
    throw new UsageError('name either --key-id or --approver');
  const which = approver === undefined ? ['--key-id', keyId ?? ''] : ['--approver', approver];
  const [vault, rs] = await Promise.all([
    attempt(runDomain(data, 'vault', ['revoke-key', ...which])),
    attempt(runDomain(data, 'rs', ['revoke', ...which])),
  ]);
  print(`vault            ${vault.said}`, `resource server  ${rs.said}`);
  if (!vault.done && !rs.done) throw new Error('no active key was revoked');
}

async function attempt(command: Promise<string>): Promise<{ done: boolean; said: string }> {
  try {
    return { done: true, said: (await command).trim() };
  } catch {
    return { done: false, said: 'knows no such active key' };
  }
}
