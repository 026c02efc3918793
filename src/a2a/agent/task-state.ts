import { type Message, Role, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import { randomUUID } from 'node:crypto';
import { message } from '../translation/part.js';

const FINAL: readonly TaskState[] = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
];

export function isFinalState(state: TaskState | undefined): boolean {
  return state !== undefined && FINAL.includes(state);
}

/** A status with a message of the agent. `at` in milliseconds. */
export function statusOf(
  state: TaskState,
  task: Pick<Task, 'id' | 'contextId'>,
  parts: Message['parts'],
  at: number,
): TaskStatus {
  const ids = { messageId: randomUUID(), taskId: task.id, contextId: task.contextId };
  return {
    state,
    message: parts.length === 0 ? undefined : message(Role.ROLE_AGENT, ids, parts),
    timestamp: new Date(at).toISOString(),
  };
}
