import {
  type AgentCard,
  type Message,
  Role,
  type Task,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from '@a2a-js/sdk/client';
import { randomUUID } from 'node:crypto';
import type { Agent } from 'undici';
import * as z from 'zod';
import { Refusal } from '../../contract/errors.js';
import { type ToolDefinition, toolDefinition } from '../../contract/wire.js';
import type { RemoteAgentConfig } from '../config.js';
import { EXTENSION_URI } from '../extension.js';
import type { TrustedAgents } from '../signing/agent-keys.js';
import { checkCard } from '../signing/card-signature.js';
import { message } from '../translation/part.js';
import { guardedFetch } from './guarded-fetch.js';
import type { HopTokens } from './hop-tokens.js';

/** What the extended card says under the extension. */
const offer = z.looseObject({
  agent: z.string(),
  tools: z.array(toolDefinition.extend({ gated: z.boolean() })).max(1000),
});

export interface RemoteTool {
  readonly definition: ToolDefinition;
  /** Whether it needs a person. What the agent says; the agent decides. */
  readonly gated: boolean;
}

interface Connected {
  readonly client: Client;
  readonly tools: readonly RemoteTool[];
  readonly streaming: boolean;
  readonly at: number;
}

const FRESH_FOR_MS = 30_000;

/** One agent from the configuration. Its card and address are checked before it is told anything. */
export class RemoteAgent {
  private readonly connected = new Map<string, Promise<Connected>>();

  constructor(
    readonly config: RemoteAgentConfig,
    private readonly ports: {
      readonly tokens: HopTokens;
      readonly trusted: TrustedAgents;
      readonly connections: Agent;
      readonly clock: () => number;
    },
  ) {}

  /** Its tools, by its own names. @throws Refusal `Unavailable`, `UntrustedAgent`, `Unauthenticated` */
  async tools(): Promise<readonly RemoteTool[]> {
    const [subject] = this.ports.tokens.subjects;
    return subject === undefined ? [] : (await this.connection(subject)).tools;
  }

  /** Sends parts as the start of a task, or on a task; resolves when it waits for a person or is at its end. */
  async send(
    subject: string,
    parts: Message['parts'],
    on: { readonly taskId?: string; readonly contextId?: string } = {},
  ): Promise<Task> {
    const sent = message(Role.ROLE_USER, { messageId: randomUUID(), ...on }, parts);
    const answer = await this.use(subject, (client) =>
      client.sendMessage(
        { tenant: '', message: sent, configuration: undefined, metadata: undefined },
        { serviceParameters: ServiceParameters.create(withA2AExtensions(EXTENSION_URI)) },
      ),
    );
    if ('messageId' in answer)
      throw new Refusal('Unavailable', 'bridge', { detail: 'answered without a task' });
    return answer;
  }

  task(subject: string, id: string): Promise<Task> {
    return this.use(subject, (client) => client.getTask({ tenant: '', id, historyLength: 0 }));
  }

  cancel(subject: string, id: string): Promise<Task> {
    return this.use(subject, (client) =>
      client.cancelTask({ tenant: '', id, metadata: undefined }),
    );
  }

  /** Yields once for everything that is said about the task while it lasts. What is said is not looked at. */
  async *hints(subject: string, id: string, signal: AbortSignal): AsyncGenerator<void> {
    const { client, streaming } = await this.connection(subject);
    if (!streaming) return;
    const events = client.resubscribeTask({ tenant: '', id }, { signal });
    while ((await events.next()).done !== true) yield;
  }

  async notify(subject: string, config: TaskPushNotificationConfig): Promise<void> {
    await this.use(subject, (client) => client.createTaskPushNotificationConfig(config));
  }

  private async use<T>(subject: string, work: (client: Client) => Promise<T>): Promise<T> {
    const { client } = await this.connection(subject);
    try {
      return await work(client);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  private connection(subject: string): Promise<Connected> {
    const known = this.connected.get(subject);
    const fresh = (known ?? this.connect(subject)).then((connected) => {
      // An age below 0 means that the clock was set back: then nobody knows.
      const age = this.ports.clock() - connected.at;
      return age >= 0 && age < FRESH_FOR_MS ? connected : this.connect(subject);
    });
    const kept = fresh.catch((error: unknown) => {
      this.connected.delete(subject);
      throw refusalOf(error);
    });
    this.connected.set(subject, kept);
    return kept;
  }

  private async connect(subject: string): Promise<Connected> {
    const { config, ports } = this;
    const token = ports.tokens.of(subject);
    const { origin } = new URL(config.url);
    const legacyCompat = { enabled: config.legacy === true };
    const anonymous = guardedFetch(origin, undefined, ports.connections);
    const resolver = new DefaultAgentCardResolver({ fetchImpl: anonymous, legacyCompat });
    const card = await this.checked(await resolver.resolve(config.url));
    const fetchImpl = guardedFetch(origin, token, ports.connections);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- a class the SDK does not export
    const transports = [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })];
    const client = await new ClientFactory({
      transports,
      cardResolver: resolver,
    }).createFromAgentCard(card);
    const full = await this.checked(await client.getAgentCard());
    const entry = full.capabilities?.extensions.find(({ uri }) => uri === EXTENSION_URI);
    const offered = offer.safeParse(entry?.params);
    if (!offered.success || offered.data.agent !== config.agent_id)
      throw new Refusal('UntrustedAgent', 'bridge', {
        detail: `${config.name} is another agent or offers no tools`,
      });
    return {
      client,
      tools: offered.data.tools.map(({ gated, ...definition }) => ({ definition, gated })),
      streaming: full.capabilities?.streaming === true,
      at: ports.clock(),
    };
  }

  /** A 0.3 card cannot be signed in a way both sides know; its agent is then known by its address alone. */
  private async checked(card: AgentCard): Promise<AgentCard> {
    if (this.config.legacy !== true)
      await checkCard(card, this.config.agent_id, this.ports.trusted);
    return card;
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Error && error.cause instanceof Refusal) return error.cause;
  const lost = error instanceof Error && error.name === 'TaskNotFoundError';
  return new Refusal(lost ? 'NotFound' : 'Unavailable', 'bridge', {
    detail: error instanceof Error ? error.message : String(error),
  });
}
