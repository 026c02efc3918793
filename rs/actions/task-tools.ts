/** The tools of the task tracker: one table of schemas, words and behaviour. Definitions, checks and runs all read it. */
import * as z from 'zod';
import type { JsonObject } from '../../src/contract/json.js';
import type { ActionOutcome } from './actions.js';
import type { TaskStore } from './task-store.js';

const taskId = z.string().min(1).max(256).describe('Id of the task, for example t-1');
const title = z.string().min(1).max(200).describe('What is to be done, in one line');
const notes = z.string().max(60_000).describe('Free text');
const done = z.boolean().describe('Whether the task is finished');
const seconds = z.int().describe('Seconds since 1970-01-01T00:00:00Z');
const task = z.strictObject({
  id: z.string(),
  title: z.string(),
  done: z.boolean(),
  notes: z.string().optional(),
  created_at: seconds,
  updated_at: seconds,
});

/** Tasks kept at most, so that one caller cannot fill the disk. */
const MAX_TASKS = 10_000;

export interface TaskTool {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** MCP tool annotations. */
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly run: (store: TaskStore, args: JsonObject) => ActionOutcome;
}

interface Declaration<Input> extends Omit<TaskTool, 'input' | 'run'> {
  readonly input: z.ZodType<Input>;
  readonly run: (store: TaskStore, input: Input) => ActionOutcome;
}

/** Keeps schema and behaviour of one type: `run` gets only what the schema accepted. */
function tool<Input>(declaration: Declaration<Input>): TaskTool {
  const { input, run } = declaration;
  return { ...declaration, run: (store, args) => run(store, input.parse(args)) };
}

const READS = { readOnlyHint: true, openWorldHint: false };
const WRITES = { readOnlyHint: false, openWorldHint: false };

export const TASK_TOOLS: ReadonlyMap<string, TaskTool> = new Map([
  [
    'list_tasks',
    tool({
      title: 'List tasks',
      description: 'Lists every task, oldest first, without notes; with `done`, only those.',
      input: z.strictObject({ done: done.optional() }),
      output: z.strictObject({ tasks: z.array(task) }),
      annotations: { ...READS, idempotentHint: true },
      run: (store, input) => {
        const tasks = store.list();
        const wanted = tasks.filter((t) => input.done === undefined || t.done === input.done);
        return success({ tasks: wanted.map((t) => ({ ...t })) });
      },
    }),
  ],
  [
    'get_task',
    tool({
      title: 'Get a task',
      description: 'Returns one task with its notes.',
      input: z.strictObject({ task_id: taskId }),
      output: z.strictObject({ task }),
      annotations: { ...READS, idempotentHint: true },
      run: (store, input) => {
        const found = store.get(input.task_id);
        return found === undefined ? noSuchTask() : success({ task: { ...found } });
      },
    }),
  ],
  [
    'create_task',
    tool({
      title: 'Create a task',
      description: 'Adds a task and returns it.',
      input: z.strictObject({ title, notes: notes.optional() }),
      output: z.strictObject({ task }),
      annotations: { ...WRITES, destructiveHint: false, idempotentHint: false },
      run: (store, input) =>
        store.count() >= MAX_TASKS
          ? failure('TooManyTasks', `There are ${MAX_TASKS} tasks already. Delete some first.`)
          : success({ task: { ...store.create(input.title, input.notes) } }),
    }),
  ],
  [
    'update_task',
    tool({
      title: 'Change a task',
      description: 'Sets the title, the notes or whether it is done, and returns the task.',
      input: z.strictObject({
        task_id: taskId,
        title: title.optional(),
        notes: notes.optional(),
        done: done.optional(),
      }),
      output: z.strictObject({ task }),
      annotations: { ...WRITES, destructiveHint: true, idempotentHint: true },
      run: (store, { task_id, ...change }) => {
        const changed = store.update(task_id, change);
        return changed === undefined ? noSuchTask() : success({ task: { ...changed } });
      },
    }),
  ],
  [
    'delete_task',
    tool({
      title: 'Delete a task',
      description: 'Deletes one task for ever.',
      input: z.strictObject({ task_id: taskId }),
      output: z.strictObject({ deleted: z.string() }),
      annotations: { ...WRITES, destructiveHint: true, idempotentHint: true },
      run: (store, input) =>
        store.delete(input.task_id) ? success({ deleted: input.task_id }) : noSuchTask(),
    }),
  ],
]);

function success(result: JsonObject): ActionOutcome {
  return { status: 'success', result };
}

function failure(code: string, message: string): ActionOutcome {
  return { status: 'failure', error: { code, message } };
}

function noSuchTask(): ActionOutcome {
  return failure(
    'NoSuchTask',
    'There is no task with this id. List the tasks to see what there is.',
  );
}
