/**
 * What a call came to, as a finished task and back. Lossy on purpose: a remote consent id never becomes one of ours, and
 * a code or layer that is not in our table is told as `Unavailable` of the agent.
 */
import { type Part, type Task, TaskState } from '@a2a-js/sdk';
import { type Layer, isRefusalCode } from '../../contract/errors.js';
import type { ApprovalRequired, Outcome } from '../../dispatcher/outcome.js';
import { type OutcomePart, outcomePart } from '../extension.js';
import { dataPart, onlyPart } from './part.js';

type Final = Exclude<Outcome, ApprovalRequired>;

const LAYERS: readonly Layer[] = ['client', 'bridge', 'dispatcher', 'consent-ui', 'vault', 'rs'];

export interface FinishedTask {
  readonly state: TaskState;
  readonly part: Part;
}

export function finishedTask(outcome: Final): FinishedTask {
  return { state: stateOf(outcome), part: dataPart(partOf(outcome)) };
}

/** What a finished remote task came to, for this bridge's own caller. */
export function outcomeOfTask(task: Task, consentId: string): Final {
  const parts = [...(task.status?.message?.parts ?? []), ...task.artifacts.flatMap((a) => a.parts)];
  const part = onlyPart(parts, 'outcome', outcomePart);
  if (task.status?.state === TaskState.TASK_STATE_CANCELED)
    return { kind: 'Declined', by: 'client', consentId };
  if (part === undefined || (part.status === 'success') !== isCompleted(task))
    return {
      kind: 'Refused',
      code: 'Unavailable',
      layer: 'bridge',
      path: 'task.status',
      consentId,
    };
  return outcomeOfPart(part, consentId);
}

export function outcomeOfPart(part: OutcomePart, consentId: string): Final {
  switch (part.status) {
    case 'success':
      return { kind: 'Success', result: part.result, consentId };
    case 'failed':
      return { kind: 'Failed', error: part.error, consentId };
    case 'unauthorized':
      return {
        kind: 'Unauthorized',
        tool: part.tool,
        missingScopes: part.missing_scopes,
        layer: layerOf(part.layer),
      };
    case 'declined':
      return {
        kind: 'Declined',
        by: part.by,
        consentId,
        ...(part.reason === undefined ? {} : { reason: part.reason }),
      };
    case 'refused':
      return {
        kind: 'Refused',
        code: isRefusalCode(part.code) ? part.code : 'Unavailable',
        layer: layerOf(part.layer),
        consentId,
        ...(part.path === undefined ? {} : { path: part.path }),
      };
  }
}

function stateOf(outcome: Final): TaskState {
  switch (outcome.kind) {
    case 'Success':
      return TaskState.TASK_STATE_COMPLETED;
    case 'Unauthorized':
    case 'Declined':
      return TaskState.TASK_STATE_REJECTED;
    case 'Failed':
    case 'Refused':
      return TaskState.TASK_STATE_FAILED;
  }
}

export function partOf(outcome: Final): OutcomePart {
  switch (outcome.kind) {
    case 'Success':
      return { kind: 'outcome', status: 'success', result: outcome.result };
    case 'Failed':
      return { kind: 'outcome', status: 'failed', error: outcome.error };
    case 'Unauthorized':
      return {
        kind: 'outcome',
        status: 'unauthorized',
        tool: outcome.tool,
        missing_scopes: [...outcome.missingScopes],
        layer: outcome.layer,
      };
    case 'Declined':
      return {
        kind: 'outcome',
        status: 'declined',
        by: outcome.by,
        ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
      };
    case 'Refused':
      return {
        kind: 'outcome',
        status: 'refused',
        code: outcome.code,
        layer: outcome.layer,
        ...(outcome.path === undefined ? {} : { path: outcome.path }),
      };
  }
}

function isCompleted(task: Task): boolean {
  return task.status?.state === TaskState.TASK_STATE_COMPLETED;
}

function layerOf(layer: string): Layer {
  return LAYERS.find((known) => known === layer) ?? 'bridge';
}
