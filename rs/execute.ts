/**
 * The last line of defence: every check of this server in order, then the action. Each line takes what the line before
 * it gave, so that none can be left out or moved (states.ts). Nothing here trusts the bridge, the consent page or the
 * vault: keys, clock, policy, approvers and single-use store are this server's own.
 */
import type { ExecuteRequest, ExecutionOutcome } from '../src/contract/wire.js';
import type { Sender } from './actions/actions.js';
import { checkAllowed } from './checks/check-allowed.js';
import { checkApprovalPresent, isOpen } from './checks/check-approval-present.js';
import { checkApproverPolicy } from './checks/check-approver-policy.js';
import { checkApprover } from './checks/check-approver.js';
import { checkArgsBound } from './checks/check-args-bound.js';
import { checkAudience } from './checks/check-audience.js';
import { checkAuthorizationDetail } from './checks/check-authorization-detail.js';
import { checkClient } from './checks/check-client.js';
import { checkCommandBound } from './checks/check-command-bound.js';
import { checkCommandKnown } from './checks/check-command-known.js';
import { checkCredentialShape } from './checks/check-credential-shape.js';
import { checkCredentialSignature } from './checks/check-credential-signature.js';
import { checkDefinitionPinned } from './checks/check-definition-pinned.js';
import { checkHumanSignature } from './checks/check-human-signature.js';
import { checkInput } from './checks/check-input.js';
import { checkIssuer } from './checks/check-issuer.js';
import { checkLifetime } from './checks/check-lifetime.js';
import { checkOpen } from './checks/check-open.js';
import { checkReachable } from './checks/check-reachable.js';
import { checkScopes } from './checks/check-scopes.js';
import { checkSignedBytes } from './checks/check-signed-bytes.js';
import { checkUnused } from './checks/check-unused.js';
import type { ResourceServer } from './resource-server.js';
import { runConsumed, runOpen } from './run.js';
import type { BoundAction, ConsumedAction, VerifiedClaims } from './states.js';

/**
 * Runs one call if everything about it holds, and at most once.
 * @param request as read from the wire, its arguments frozen at every level
 * @param sender the authenticated service that sent it, which hears and answers what upstreams say and ask meanwhile
 * @returns the tool's own success or failure
 * @throws Refusal with the code named in the header of the check that refused (layer `rs`); ExecutionIndeterminate if
 *   the action began and its outcome is not known.
 */
export async function execute(
  request: ExecuteRequest,
  sender: Sender,
  rs: ResourceServer,
): Promise<ExecutionOutcome> {
  const known = await checkCommandKnown(request, rs.actions);
  const permitted = checkAllowed(known, rs.commands);
  const pinned = checkDefinitionPinned(permitted, rs.actions);
  const scoped = checkScopes(pinned);
  if (isOpen(scoped)) return runOpen(checkOpen(scoped, rs.actions), rs, sender);
  const approved = checkApprovalPresent(scoped);

  const shaped = checkCredentialShape(approved);
  const signed = await checkCredentialSignature(shaped, rs.issuer);
  const issued = checkIssuer(signed, rs.issuer.identifier);
  const addressed = checkAudience(issued, rs.resource);
  const current = checkLifetime(addressed, rs.clock());
  const ours = checkClient(current);
  const verified: VerifiedClaims = checkAuthorizationDetail(ours, rs.rarTypes);

  const sameCommand = checkCommandBound(verified);
  const sameArgs = checkArgsBound(sameCommand);
  const rebuilt = checkSignedBytes(sameArgs, rs.resource);
  const keyed = await checkApprover(rebuilt, rs.approvers);
  const agreed = await checkHumanSignature(keyed, rs.ceremony);
  const bound: BoundAction = checkApproverPolicy(agreed, rs.policy);

  const wellFormed = checkInput(bound, rs.actions);
  const reachable = await checkReachable(wellFormed, rs.actions, sender.service);
  const consumed: ConsumedAction = await checkUnused(reachable, rs.executions, sender.service);
  return runConsumed(consumed, rs, sender);
}
