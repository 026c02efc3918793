import type { Task } from '@a2a-js/sdk';
import { Refusal } from '../../contract/errors.js';
import { parseStrictJson } from '../../contract/strict-json.js';
import type { TrustedAgents } from '../signing/agent-keys.js';
import { checkAsk } from '../signing/ask-signature.js';
import { sha256 } from '../signing/hop-link.js';
import { type Ask, askOf } from '../translation/ask.js';
import { checkPageUrl } from '../translation/page-url.js';

export interface AskExpectations {
  /** This agent, and the statement it made about the call. */
  readonly agent: string;
  readonly link: string;
  /** Where a person may be sent. */
  readonly origins: readonly string[];
  readonly trusted: TrustedAgents;
  /** POSIX seconds. */
  readonly now: number;
}

/**
 * The ask of a parked task, before anybody is shown it: exactly one, signed by the agent that will act, about our own
 * call, in time, readable, and on a page the operator knows. An agent on the way that changed any of it, or gave us the
 * ask of another call, is found out here.
 * @throws Refusal `HopMismatch`, `UntrustedAgent` (layer `bridge`)
 */
export async function checkedAsk(task: Task, expected: AskExpectations): Promise<Ask> {
  const ask = askOf(task.status?.message);
  if (ask === undefined) throw mismatch('task.status.message');
  await checkAsk(ask, expected.trusted);
  checkPageUrl(ask.consent_url, expected.origins);
  const own = sha256(expected.link);
  if (!ask.chain.some(({ agent, link }) => agent === expected.agent && link === own))
    throw mismatch('chain');
  if (ask.exp <= expected.now) throw mismatch('exp');
  try {
    parseStrictJson(ask.authorization_details, 'bridge');
  } catch {
    throw mismatch('authorization_details');
  }
  return ask;
}

function mismatch(path: string): Refusal {
  return new Refusal('HopMismatch', 'bridge', { path });
}
