import type { StreamResponse, Task, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import { request } from 'undici';
import type { SqlitePushStore } from './push-store.js';

const TIMEOUT_MS = 5000;

/** Tells registered addresses that a task moved. Sent once and not followed anywhere: who missed it may still ask. */
export class PushSender {
  private readonly v1 = new V1PushNotificationSerializer();
  private readonly v03 = new V03PushNotificationSerializer();

  constructor(private readonly store: SqlitePushStore) {}

  send(task: Task, update: TaskStatusUpdateEvent): void {
    const moved: StreamResponse = { payload: { $case: 'statusUpdate', value: update } };
    for (const { config, wireVersion } of this.store.ofTask(task.id)) {
      const serializer = wireVersion === '0.3' ? this.v03 : this.v1;
      const { body, contentType } = serializer.serialize(moved, task);
      const { authentication, token, url } = config;
      const headers: Record<string, string> = { 'content-type': contentType };
      if (authentication !== undefined)
        headers['authorization'] = `${authentication.scheme} ${authentication.credentials}`;
      else if (token !== '') headers['x-a2a-notification-token'] = token;
      request(url, {
        method: 'POST',
        headers,
        body,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      })
        .then((answer) => answer.body.dump())
        .catch(() => undefined);
    }
  }
}
