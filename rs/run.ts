/** Running an action that passed, and keeping its outcome. Only a ConsumedAction or an OpenAction gets here. */
import { Refusal } from '../src/contract/errors.js';
import type { ExecutionOutcome } from '../src/contract/wire.js';
import type { Sender } from './actions/actions.js';
import type { ResourceServer } from './resource-server.js';
import type { ConsumedAction, OpenAction } from './states.js';

/**
 * Runs a consumed action and stores its outcome beside its `jti`. It goes on when the sender is gone.
 * @throws Refusal ExecutionIndeterminate if the action or the store broke in between: nobody may say it did not run.
 */
export async function runConsumed(
  action: ConsumedAction,
  rs: ResourceServer,
  { service, peer }: Sender,
): Promise<ExecutionOutcome> {
  const { jti } = action.facts.claims;
  try {
    const outcome: ExecutionOutcome = { jti, ...(await rs.actions.run(action, { service, peer })) };
    await rs.executions.finish(jti, outcome);
    return outcome;
  } catch (error) {
    // If even this write fails the row stays `started`, which the next start turns into `indeterminate`.
    await rs.executions.abandon(jti).catch(() => undefined);
    throw new Refusal('ExecutionIndeterminate', 'rs', { detail: String(error) });
  }
}

/** Runs an open action; it leaves an entry in the record and nothing to look up. */
export async function runOpen(
  action: OpenAction,
  rs: ResourceServer,
  sender: Sender,
): Promise<ExecutionOutcome> {
  const outcome = await rs.actions.run(action, sender);
  const { caller, command } = action.facts.request;
  await rs.executions.recordOpen({
    command,
    subject: caller.subject,
    clientId: caller.client_id,
    outcome,
  });
  return outcome;
}
