import {
  type Artifact,
  type ListTasksRequest,
  type ListTasksResponse,
  Task,
  TaskState,
  type TaskStatus,
} from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { ServerCallContext, TaskStore } from '@a2a-js/sdk/server';
import type Database from 'better-sqlite3';
import { userOf } from './caller-user.js';
import { isFinalState } from './task-state.js';
import type { Work } from './work.js';

interface Row {
  readonly id: string;
  readonly owner: string;
  readonly context_id: string;
  readonly state: TaskState;
  readonly changed_at: number;
  readonly body: string;
  readonly work: string | null;
}

/** Messages kept with a task: a caller that keeps asking does not make it grow. */
const MAX_HISTORY = 50;

/**
 * Tasks on disk, each seen only by the client it belongs to. A final state is final: the request handlers of the SDK save
 * what they saw, each in its own time, and none of them can bring a finished task back.
 */
export class SqliteTaskStore implements TaskStore {
  private readonly statements;

  constructor(
    private readonly db: Database.Database,
    private readonly clock: () => number,
  ) {
    this.statements = {
      byId: db.prepare<[string], Row>('SELECT * FROM task WHERE id = ?'),
      upsert: db.prepare(
        `INSERT INTO task (id, owner, context_id, state, changed_at, body) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at, body = excluded.body`,
      ),
      work: db.prepare('UPDATE task SET work = ? WHERE id = ?'),
      unfinished: db.prepare<[], Row>(
        'SELECT * FROM task WHERE state NOT IN (3, 4, 5, 6, 7) ORDER BY changed_at',
      ),
      countOf: db.prepare<[string], { n: number }>(
        'SELECT count(*) AS n FROM task WHERE owner = ? AND state NOT IN (3, 4, 5, 6, 7)',
      ),
      ofOwner: db.prepare<[string], Row>(
        'SELECT * FROM task WHERE owner = ? ORDER BY changed_at DESC, id DESC LIMIT 10000',
      ),
      sweep: db.prepare('DELETE FROM task WHERE state IN (3, 4, 5, 6, 7) AND changed_at < ?'),
      sweepPush: db.prepare('DELETE FROM push WHERE task_id NOT IN (SELECT id FROM task)'),
    };
  }

  save(task: Task, context: ServerCallContext): Promise<void> {
    this.write(task, userOf(context).userName);
    return Promise.resolve();
  }

  load(taskId: string, context: ServerCallContext): Promise<Task | undefined> {
    const row = this.statements.byId.get(taskId);
    return Promise.resolve(row?.owner === userOf(context).userName ? taskOf(row) : undefined);
  }

  list(params: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    const size = params.pageSize ?? 50;
    const after =
      params.statusTimestampAfter === undefined ? 0 : Date.parse(params.statusTimestampAfter);
    const wanted = this.statements.ofOwner
      .all(userOf(context).userName)
      .filter(
        (row) =>
          (params.contextId === '' || row.context_id === params.contextId) &&
          (params.status === TaskState.TASK_STATE_UNSPECIFIED || row.state === params.status) &&
          row.changed_at >= after,
      );
    const from =
      params.pageToken === '' ? 0 : wanted.findIndex(({ id }) => id === params.pageToken);
    if (from < 0) throw new RequestMalformedError('pageToken is not one this agent gave out');
    const page = wanted.slice(from, from + size).map(taskOf);
    return Promise.resolve({
      tasks:
        params.includeArtifacts === true ? page : page.map((task) => ({ ...task, artifacts: [] })),
      nextPageToken: wanted[from + size]?.id ?? '',
      pageSize: size,
      totalSize: wanted.length,
    });
  }

  /** A new task and the work behind it, on disk before anything is done. */
  open(task: Task, owner: string, work: Work): void {
    this.db
      .transaction(() => {
        this.write(task, owner);
        this.setWork(task.id, work);
      })
      .immediate();
  }

  setWork(taskId: string, work: Work): void {
    this.statements.work.run(JSON.stringify(work), taskId);
  }

  /** The task in its new status, or undefined when it was finished already: then nothing changed. */
  move(taskId: string, status: TaskStatus, artifacts: readonly Artifact[] = []): Task | undefined {
    return this.db
      .transaction(() => {
        const row = this.statements.byId.get(taskId);
        if (row === undefined || isFinalState(row.state)) return undefined;
        const task = taskOf(row);
        const history = status.message === undefined ? [] : [status.message];
        const moved = {
          ...task,
          status,
          artifacts: [...task.artifacts, ...artifacts],
          history: [...task.history, ...history],
        };
        this.write(moved, row.owner);
        return moved;
      })
      .immediate();
  }

  /** Whatever the owner; for the agent itself. */
  get(taskId: string): { task: Task; owner: string; work: Work | undefined } | undefined {
    const row = this.statements.byId.get(taskId);
    return row === undefined
      ? undefined
      : { task: taskOf(row), owner: row.owner, work: workOf(row) };
  }

  unfinished(): readonly { task: Task; work: Work | undefined }[] {
    return this.statements.unfinished
      .all()
      .map((row) => ({ task: taskOf(row), work: workOf(row) }));
  }

  unfinishedOf(owner: string): number {
    return this.statements.countOf.get(owner)?.n ?? 0;
  }

  /** Removes tasks finished, or left without a call, before `ms`. */
  sweep(ms: number): void {
    this.statements.sweep.run(ms);
    this.statements.sweepPush.run();
  }

  private write(task: Task, owner: string): void {
    this.db
      .transaction(() => {
        const known = this.statements.byId.get(task.id);
        if (known !== undefined && known.owner !== owner) throw new Error('a task changes hands');
        const before = known === undefined ? undefined : taskOf(known);
        const final = isFinalState(before?.status?.state);
        const kept: Task = {
          ...task,
          ...(before !== undefined && final
            ? { status: before.status, artifacts: before.artifacts }
            : {}),
          history: task.history.slice(-MAX_HISTORY),
        };
        const state = kept.status?.state ?? TaskState.TASK_STATE_SUBMITTED;
        const body = JSON.stringify(Task.toJSON(kept));
        this.statements.upsert.run(kept.id, owner, kept.contextId, state, this.clock(), body);
      })
      .immediate();
  }
}

function taskOf(row: Row): Task {
  return Task.fromJSON(JSON.parse(row.body));
}

function workOf({ work }: Row): Work | undefined {
  return work === null ? undefined : (JSON.parse(work) as Work);
}
