import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Role, type Task, TaskState } from '@a2a-js/sdk';
import { ServerCallContext } from '@a2a-js/sdk/server';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openA2aDatabase } from '../../../src/a2a/database.js';
import { CallerUser } from '../../../src/a2a/agent/caller-user.js';
import { statusOf } from '../../../src/a2a/agent/task-state.js';
import { SqliteTaskStore } from '../../../src/a2a/agent/task-store.js';
import { message } from '../../../src/a2a/translation/part.js';

const NOW = 1_800_000_000_000;
let dir: string;
let db: Database.Database;
let store: SqliteTaskStore;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'a2a-store-'));
  db = openA2aDatabase(dir);
  store = new SqliteTaskStore(db, () => NOW);
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true });
});

function as(client_id: string): ServerCallContext {
  const caller = { subject: 'alice', client_id, scopes: [] };
  return new ServerCallContext({
    user: new CallerUser({ caller, grant: { kind: 'local', tokenId: 'token-id' }, expiresAt: 0 }),
  });
}

function task(id: string, state: TaskState): Task {
  const bare = { id, contextId: 'c', artifacts: [], history: [], metadata: undefined };
  return { ...bare, status: statusOf(state, bare, [], NOW) };
}

const {
  TASK_STATE_AUTH_REQUIRED: WAITS,
  TASK_STATE_COMPLETED: DONE,
  TASK_STATE_WORKING: WORKS,
} = TaskState;

describe('tasks on disk', () => {
  it('are there for their owner alone, also after the file is opened again', async () => {
    await store.save(task('t', WAITS), as('one'));
    const again = openA2aDatabase(dir);
    const reopened = new SqliteTaskStore(again, () => NOW);
    expect(await reopened.load('t', as('one'))).toEqual(task('t', WAITS));
    expect(await reopened.load('t', as('two'))).toBeUndefined();
    expect(() => reopened.save(task('t', DONE), as('two'))).toThrow();
    again.close();
  });

  it('a final state is final: nobody who saves late brings the task back', async () => {
    await store.save(task('t', WAITS), as('one'));
    expect(store.move('t', statusOf(DONE, { id: 't', contextId: 'c' }, [], NOW))).toBeDefined();
    await store.save(task('t', WAITS), as('one'));
    expect((await store.load('t', as('one')))?.status?.state).toBe(DONE);
    expect(store.move('t', statusOf(WORKS, { id: 't', contextId: 'c' }, [], NOW))).toBeUndefined();
  });

  it('do not grow without bound, however often somebody asks', async () => {
    const sent = Array.from({ length: 500 }, (_, n) =>
      message(Role.ROLE_USER, { messageId: `${n}` }, []),
    );
    await store.save({ ...task('t', WAITS), history: sent }, as('one'));
    expect((await store.load('t', as('one')))?.history).toHaveLength(50);
  });

  it('are listed by pages that add up', async () => {
    for (let n = 0; n < 7; n += 1)
      await store.save(task(`t${n}`, n % 2 === 0 ? DONE : WAITS), as('one'));
    await store.save(task('other', DONE), as('two'));
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await store.list(
        {
          tenant: '',
          contextId: '',
          status: TaskState.TASK_STATE_UNSPECIFIED,
          pageSize: 3,
          pageToken,
          statusTimestampAfter: undefined,
        },
        as('one'),
      );
      expect(page.totalSize).toBe(7);
      seen.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen.sort()).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
    const waiting = await store.list(
      { tenant: '', contextId: '', status: WAITS, pageToken: '', statusTimestampAfter: undefined },
      as('one'),
    );
    expect(waiting.tasks).toHaveLength(3);
  });

  it('finished ones are swept, waiting ones are not', async () => {
    await store.save(task('done', DONE), as('one'));
    await store.save(task('waits', WAITS), as('one'));
    store.sweep(NOW + 1);
    expect(await store.load('done', as('one'))).toBeUndefined();
    expect(await store.load('waits', as('one'))).toBeDefined();
  });

  it('without an authenticated caller there is nothing', () => {
    expect(() => store.load('t', new ServerCallContext())).toThrow();
  });
});
