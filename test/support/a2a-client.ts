/** The SDK's own A2A client against an agent under test, as any other agent would use it. */
import { randomUUID } from 'node:crypto';
import { type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import type { Ask } from '../../src/a2a/translation/ask.js';
import { askOf } from '../../src/a2a/translation/ask.js';
import { dataPart, message } from '../../src/a2a/translation/part.js';
import { openStores } from '../../src/core.js';
import type { ChainAgent } from '../../src/cli/a2a-layout.js';
import { domainDir } from '../../src/cli/data-directory.js';

export class A2aClient {
  private constructor(
    readonly client: Client,
    readonly url: string,
    readonly token: string,
  ) {}

  /** A client of `agent` for one person, under a token that agent issued. */
  static async connect(
    agent: ChainAgent,
    subject: string,
    options: { clientId?: string; scopes?: string[]; legacy?: boolean } = {},
  ): Promise<A2aClient> {
    const { clientId = `robot-${randomUUID()}`, scopes = ['tasks.read', 'tasks.write'] } = options;
    const { db, tokens } = openStores(domainDir(agent.data, 'bridge'), Date.now);
    const { token } = tokens.issue({ subject, client_id: clientId, scopes }, 600);
    db.close();
    return A2aClient.with(agent.url, token, options.legacy);
  }

  static async with(url: string, token: string, legacy = false): Promise<A2aClient> {
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      if (legacy) headers.delete('a2a-version');
      return fetch(input, { ...init, headers });
    };
    const legacyCompat = { enabled: legacy };
    const cardResolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat });
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- a class the SDK does not export
    const transports = [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })];
    const client = await new ClientFactory({ transports, cardResolver }).createFromUrl(url);
    return new A2aClient(client, url, token);
  }

  /** Starts a task with a call. Resolves with a snapshot when it parks or ends. */
  async call(
    tool: string,
    args: object,
    options: { contextId?: string; chain?: string[] } = {},
  ): Promise<Task> {
    const { contextId, chain } = options;
    const part = dataPart({ kind: 'call', tool, args, ...(chain === undefined ? {} : { chain }) });
    return this.send([part], contextId === undefined ? {} : { contextId });
  }

  async resume(task: Pick<Task, 'id' | 'contextId'>, part: object): Promise<Task> {
    return this.send([dataPart({ kind: 'resume', ...part })], {
      taskId: task.id,
      contextId: task.contextId,
    });
  }

  async send(parts: Part[], on: { taskId?: string; contextId?: string } = {}): Promise<Task> {
    const answer = await this.client.sendMessage({
      tenant: '',
      message: this.message(parts, on),
      configuration: undefined,
      metadata: undefined,
    });
    if ('messageId' in answer) throw new Error('a message instead of a task');
    return answer;
  }

  message(parts: Part[], on: { taskId?: string; contextId?: string } = {}): Message {
    return message(Role.ROLE_USER, { messageId: randomUUID(), ...on }, parts);
  }

  get(id: string): Promise<Task> {
    return this.client.getTask({ tenant: '', id });
  }

  cancel(id: string): Promise<Task> {
    return this.client.cancelTask({ tenant: '', id, metadata: undefined });
  }

  /** Asks again and again until the task is in this state. */
  async until(id: string, state: TaskState, within = 15_000): Promise<Task> {
    const end = Date.now() + within;
    for (;;) {
      const task = await this.get(id);
      if (task.status?.state === state) return task;
      if (Date.now() > end) throw new Error(`still ${TaskState[task.status?.state ?? 0]}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The ask of a task that must have one. */
export function askOfTask(task: Task): Ask {
  const ask = askOf(task.status?.message);
  if (ask === undefined) throw new Error(`no ask in ${JSON.stringify(task.status)}`);
  return ask;
}

/** The outcome part of a task, wherever it is. */
export function outcomeOfTask(task: Task): Record<string, unknown> {
  const parts = [...(task.status?.message?.parts ?? []), ...task.artifacts.flatMap((a) => a.parts)];
  const found = parts
    .map(({ content }) =>
      content?.$case === 'data' ? (content.value as Record<string, unknown>) : {},
    )
    .find((value) => value['kind'] === 'outcome');
  if (found === undefined) throw new Error(`no outcome in ${JSON.stringify(task)}`);
  return found;
}
