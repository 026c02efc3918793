import { attemptOfCall } from '../agent.js';
import { describe } from '../attempt.js';
import type { Narration } from '../narration.js';
import type { Scene } from '../scene.js';
import { createTask, taskTitles } from '../tasks.js';

const REASON = 'We still need it';

/** The person says no: the agent is told, is told again when it nags, and nothing runs. */
export async function demoDecline({ agent, approver }: Scene, story: Narration): Promise<void> {
  story.heading('decline: no means no');
  const task = await createTask(agent, 'Close the account');
  const declined = { code: 'Declined', layer: 'approver' } as const;
  const asked = await agent.call('delete_task', { task_id: task });
  if (asked.kind !== 'approval') {
    story.claim(false, `delete_task ${task}: ${describe(attemptOfCall(asked))} without a link`);
    return;
  }
  story.did(`delete_task ${task} did not run: ${asked.code} and a link`);
  const answer = await approver.decline(asked.url, REASON);
  story.claim(
    answer.kind === 'done',
    `the person opened the link: ${describe(answer)}, “${REASON}”`,
  );
  const told = await agent.call('delete_task', { task_id: task });
  story.refused('the agent calls again', declined, attemptOfCall(told));
  story.claim(
    told.kind === 'refused' && told.reason === REASON,
    `it is told why: “${told.kind === 'refused' ? (told.reason ?? '') : ''}”`,
  );
  const nagging = await agent.call('delete_task', { task_id: task });
  story.refused('and again, at once', declined, attemptOfCall(nagging));
  const late = await approver.approve(asked.url);
  story.refused(
    'the person signs after declining',
    { code: 'AlreadyDecided', layer: 'consent-ui' },
    late,
  );
  story.claim((await taskTitles(agent)).has(task), `${task} “Close the account” is still there`);
}
