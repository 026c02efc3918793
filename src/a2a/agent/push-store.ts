import { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type {
  PushNotificationStore,
  ServerCallContext,
  StoredPushNotificationConfig,
} from '@a2a-js/sdk/server';
import type Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { userOf } from './caller-user.js';

interface Row {
  readonly wire: string;
  readonly config: string;
}

/** Addresses for one task at most. */
const MAX_PER_TASK = 10;

/** Where callers want to hear of their tasks, on disk, and only at origins the operator allows. */
export class SqlitePushStore implements PushNotificationStore {
  private readonly statements;

  constructor(
    db: Database.Database,
    private readonly allowedOrigins: readonly string[],
  ) {
    this.statements = {
      save: db.prepare(
        `INSERT INTO push (task_id, id, owner, wire, config) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (task_id, id) DO UPDATE SET config = excluded.config, wire = excluded.wire`,
      ),
      ofTask: db.prepare<[string], Row>(
        'SELECT wire, config FROM push WHERE task_id = ? LIMIT 100',
      ),
      remove: db.prepare('DELETE FROM push WHERE task_id = ? AND id = ? AND owner = ?'),
    };
  }

  /** @throws RequestMalformedError for an address outside the allowed origins, which could be anything inside this network */
  save(
    taskId: string,
    context: ServerCallContext,
    config: TaskPushNotificationConfig,
  ): Promise<void> {
    const url = URL.canParse(config.url) ? new URL(config.url) : undefined;
    if (url === undefined || url.username !== '' || !this.allowedOrigins.includes(url.origin))
      throw new RequestMalformedError('push notifications may not go to that address');
    config.id ||= randomUUID();
    if (this.ofTask(taskId).length >= MAX_PER_TASK)
      throw new RequestMalformedError('too many push notification configs for this task');
    const text = JSON.stringify(TaskPushNotificationConfig.toJSON(config));
    this.statements.save.run(
      taskId,
      config.id,
      userOf(context).userName,
      context.requestedVersion,
      text,
    );
    return Promise.resolve();
  }

  load(taskId: string): Promise<TaskPushNotificationConfig[]> {
    return Promise.resolve(this.ofTask(taskId).map(({ config }) => config));
  }

  delete(taskId: string, context: ServerCallContext, configId = taskId): Promise<void> {
    this.statements.remove.run(taskId, configId, userOf(context).userName);
    return Promise.resolve();
  }

  ofTask(taskId: string): StoredPushNotificationConfig[] {
    return this.statements.ofTask.all(taskId).map(({ wire, config }) => ({
      wireVersion: wire,
      config: TaskPushNotificationConfig.fromJSON(JSON.parse(config)),
    }));
  }
}
