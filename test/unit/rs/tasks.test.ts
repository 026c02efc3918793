import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { surface } from '../../../src/contract/wire.js';
import type { JsonObject } from '../../../src/contract/json.js';
import { TaskStore } from '../../../rs/actions/task-store.js';
import { runTask } from '../../../rs/actions/tasks.js';
import { Fixture } from './fixture.js';

const f = new Fixture();
const dir = mkdtempSync(join(tmpdir(), 'tasks-'));
const store = new TaskStore(join(dir, 'tasks.db'), () => 1_900_000_000_999);
beforeAll(() => f.start());
afterAll(async () => {
  await f.close();
  store.close();
  rmSync(dir, { recursive: true });
});
const run = (command: string, args: JsonObject) => runTask(store, command, args);
const path = (command: string, args: JsonObject): string => {
  try {
    runTask(store, command, args);
    return 'ran';
  } catch (error) {
    const { code, path: at } = error as { code: string; path: string };
    return `${code} ${at}`;
  }
};

describe('the task tracker', () => {
  it('creates, reads, changes, lists and deletes', () => {
    const task = {
      id: 't-1',
      title: 'Water the plants',
      done: false,
      notes: 'twice',
      created_at: 1_900_000_000,
      updated_at: 1_900_000_000,
    };
    expect(run('create_task', { title: task.title, notes: 'twice' })).toEqual({
      status: 'success',
      result: { task },
    });
    expect(run('get_task', { task_id: 't-1' })).toEqual({ status: 'success', result: { task } });
    expect(run('update_task', { task_id: 't-1', done: true })).toEqual({
      status: 'success',
      result: { task: { ...task, done: true } },
    });
    const { notes, ...listed } = { ...task, done: true };
    expect(notes).toBe('twice');
    expect(run('list_tasks', {})).toEqual({ status: 'success', result: { tasks: [listed] } });
    expect(run('list_tasks', { done: false })).toEqual({
      status: 'success',
      result: { tasks: [] },
    });
    expect(run('delete_task', { task_id: 't-1' })).toEqual({
      status: 'success',
      result: { deleted: 't-1' },
    });
  });

  it('never gives an id twice', () => {
    expect(run('create_task', { title: 'next' })).toMatchObject({
      result: { task: { id: 't-2' } },
    });
  });

  it.each(['t-1', 't-02', 't-2 ', 'T-2', '2', 't-2; DROP TABLE tasks', 't-9007199254740993'])(
    '%j is no task',
    (task_id) => {
      for (const command of ['get_task', 'update_task', 'delete_task']) {
        expect(run(command, { task_id })).toMatchObject({ error: { code: 'NoSuchTask' } });
      }
    },
  );

  it('takes arguments as they are, or says where they are wrong', () => {
    expect(path('create_task', {})).toBe('MalformedRequest args.title');
    expect(path('create_task', { title: 1 })).toBe('MalformedRequest args.title');
    expect(path('create_task', { title: '' })).toBe('MalformedRequest args.title');
    expect(path('create_task', { title: 'x', more: 1 })).toBe('MalformedRequest args.more');
    expect(path('list_tasks', { done: 'true' })).toBe('MalformedRequest args.done');
    expect(path('list_tasks', { done: null })).toBe('MalformedRequest args.done');
    expect(path('drop', {})).toBe('UnknownTool undefined');
    expect(run('create_task', { title: ' padded ' })).toMatchObject({
      result: { task: { title: ' padded ' } },
    });
  });

  it('is readable by its owner alone', () => {
    expect(statSync(join(dir, 'tasks.db')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'tasks.db-wal')).mode & 0o777).toBe(0o600);
  });
});

describe('tool definitions', () => {
  it('come from the schemas that check the arguments', async () => {
    const { body } = await f.http('GET', '/v1/surface');
    const { tools } = surface.parse(body);
    expect(tools.map((tool) => tool.name)).toEqual([
      'list_tasks',
      'get_task',
      'create_task',
      'update_task',
      'delete_task',
    ]);
    const byName = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
    expect(byName['delete_task']).toMatchObject({
      input_schema: {
        type: 'object',
        properties: { task_id: { type: 'string' } },
        required: ['task_id'],
        additionalProperties: false,
      },
      output_schema: { type: 'object', required: ['deleted'] },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    });
    expect(byName['list_tasks']).toMatchObject({ annotations: { readOnlyHint: true } });
  });
});
