import { type Task, TaskState } from '@a2a-js/sdk';
import type { ApprovalRequired, Outcome, Refused } from '../../dispatcher/outcome.js';
import { refusedBy } from '../../dispatcher/outcome.js';
import { isFinalState } from '../agent/task-state.js';
import { outcomePart } from '../extension.js';
import type { Ask } from '../translation/ask.js';
import { outcomeOfPart, outcomeOfTask } from '../translation/outcome.js';
import { onlyPart } from '../translation/part.js';
import { type AskExpectations, checkedAsk } from './checked-ask.js';

/** How a remote task stands, as far as it can be believed. */
export type Standing =
  | { readonly kind: 'ended'; readonly outcome: Exclude<Outcome, ApprovalRequired> }
  | { readonly kind: 'asks'; readonly ask: Ask }
  | { readonly kind: 'works' }
  /** It asks, but not what it may ask. */
  | { readonly kind: 'misleads'; readonly outcome: Refused };

/** @param consentId what the call is known by here */
export async function standingOf(
  task: Task,
  consentId: string,
  expected: AskExpectations,
): Promise<Standing> {
  const state = task.status?.state;
  if (isFinalState(state)) return { kind: 'ended', outcome: outcomeOfTask(task, consentId) };
  if (state !== TaskState.TASK_STATE_AUTH_REQUIRED) return { kind: 'works' };
  try {
    return { kind: 'asks', ask: await checkedAsk(task, expected) };
  } catch (error) {
    return { kind: 'misleads', outcome: refusedBy(error, consentId) };
  }
}

/** Why a parked task did not take the last resume, where it says so beside its ask. Names no consent: nothing ended. */
export function refusedResume(task: Task): Refused | undefined {
  if (isFinalState(task.status?.state)) return undefined;
  const part = onlyPart(task.status?.message?.parts, 'outcome', outcomePart);
  const outcome = part && outcomeOfPart(part, '');
  if (outcome?.kind !== 'Refused') return undefined;
  const { kind, code, layer, path } = outcome;
  return { kind, code, layer, ...(path === undefined ? {} : { path }) };
}
