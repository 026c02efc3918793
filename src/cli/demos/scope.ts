import type { Agent, ToolAnswer } from '../agent.js';
import { attemptOfCall } from '../agent.js';
import type { RefusedBy } from '../attempt.js';
import { attemptOf } from '../http.js';
import type { Narration } from '../narration.js';
import type { Scene } from '../scene.js';
import { createTask, taskTitles } from '../tasks.js';

const AT_DISPATCHER: RefusedBy = { code: 'Unauthorized', layer: 'dispatcher' };
const AT_GATE: RefusedBy = { code: 'ApprovalRequired', layer: 'dispatcher' };

/** Scopes come first: without them nobody is even asked. The resource server checks them again by itself. */
export async function demoScope(scene: Scene, story: Narration): Promise<void> {
  story.heading('scope: refused before anyone is asked');
  const { agent, takenOver, caller } = scene;
  const [reader, writer, nobody] = await Promise.all([
    scene.connect('reader', ['tasks.read']),
    scene.connect('writer', ['tasks.write']),
    scene.connect('nobody', ['other.scope']),
  ]);
  const task = await createTask(agent, 'Keep me');
  const remove = { task_id: task };
  const got = (answer: ToolAnswer, what: string): void =>
    story.claim(
      answer.kind === 'result',
      `${what}: ${answer.kind === 'result' ? 'ran' : attemptText(answer)}`,
    );
  const refused = async (
    who: Agent,
    tool: string,
    args: object,
    by: RefusedBy,
    what: string,
  ): Promise<void> => story.refused(what, by, attemptOfCall(await who.call(tool, { ...args })));

  got(await reader.call('list_tasks', {}), 'list_tasks with tasks.read');
  await refused(writer, 'list_tasks', {}, AT_DISPATCHER, 'list_tasks without tasks.read');
  got(await writer.call('create_task', { title: 'By the writer' }), 'create_task with tasks.write');
  await refused(
    reader,
    'create_task',
    { title: 'No' },
    AT_DISPATCHER,
    'create_task without tasks.write',
  );
  await refused(
    writer,
    'delete_task',
    remove,
    AT_GATE,
    'delete_task with tasks.write, not signed: the person is asked',
  );
  await refused(
    reader,
    'delete_task',
    remove,
    AT_DISPATCHER,
    'delete_task without tasks.write: nobody is asked',
  );
  await refused(
    nobody,
    'list_tasks',
    {},
    AT_DISPATCHER,
    'list_tasks with a scope that means nothing here',
  );

  const lacking = { ...caller, scopes: ['tasks.read'] };
  const answer = await takenOver.execute({
    command: 'create_task',
    args: { title: 'No' },
    caller: lacking,
  });
  story.refused(
    'create_task past the dispatcher, without tasks.write',
    { code: 'Unauthorized', layer: 'rs' },
    attemptOf(answer, 'it ran'),
  );
  story.claim((await taskTitles(agent)).has(task), `${task} “Keep me” is still there`);
}

function attemptText(answer: ToolAnswer): string {
  const attempt = attemptOfCall(answer);
  return attempt.kind === 'refused' ? `${attempt.code} (${attempt.layer})` : attempt.what;
}
