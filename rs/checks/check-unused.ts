/**
 * Rule: neither the credential's `jti` nor the signed bytes have been used; both are marked used, durably, in one
 * transaction, and only then does the check pass.
 * Source: DESIGN sections 7 and 11. Refusals: CredentialReplay, SignatureReplay (a second credential over one
 * signature), ExecutionIndeterminate (used, and the outcome was lost in a crash).
 * Without it: one approval deletes as often as it is sent. Marked before the action runs: a crash in between loses an
 * approval, never repeats an action. Keyed on the bytes and not on the signature, because from one ECDSA signature
 * anybody computes a second valid one.
 */
import type { Executions } from '../store/executions.js';
import type { ConsumedAction, Passed } from '../states.js';

/** @param service the authenticated service that sent the call; only it may read the outcome later */
export async function checkUnused(
  call: Passed<'reachable'>,
  executions: Pick<Executions, 'start'>,
  service: string,
): Promise<ConsumedAction> {
  const { claims, hash, key, request } = call.facts;
  await executions.start({
    jti: claims.jti,
    hash,
    exp: claims.exp,
    service,
    command: request.command,
    subject: request.caller.subject,
    clientId: request.caller.client_id,
    approverId: claims.sub,
    keyId: key.keyId,
  });
  return call.pass('unused', call.facts);
}
