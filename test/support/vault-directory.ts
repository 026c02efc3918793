import { call, expectOk } from '../../src/cli/http.js';
import { type ApproverKey, approverKeys } from '../../src/contract/wire.js';
import { ServiceIdentity } from './service-identity.js';
import type { TestStack } from './test-stack.js';

/** An approver's active keys at the vault. */
export async function keysOf(stack: TestStack, approverId: string): Promise<ApproverKey[]> {
  const { issuer } = stack.configs.vault;
  const headers = new ServiceIdentity(stack, 'rs').bearer(issuer);
  const url = `${issuer}/v1/approvers/${encodeURIComponent(approverId)}/keys`;
  return approverKeys.parse(expectOk(await call(url, { headers }), 'reading keys')).keys;
}
