import { type Message, type Task, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutionEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { canonicalJson } from '../../contract/canonical.js';
import { Refusal } from '../../contract/errors.js';
import { MAX_CANONICAL_BYTES } from '../../contract/json-check.js';
import { type SignedPayload, signedPayload } from '../../contract/payload.js';
import { parseStrictJson } from '../../contract/strict-json.js';
import { type Refused, refusedBy } from '../../dispatcher/outcome.js';
import type { AppendRecord } from '../../store/record.js';
import type { AgentIdentity, TrustedAgents } from '../signing/agent-keys.js';
import { checkChain, statedSubject } from '../signing/hop-link.js';
import { EXTENSION_URI } from '../extension.js';
import { callOf } from '../translation/call.js';
import { finishedTask } from '../translation/outcome.js';
import { isPlainText, textPart } from '../translation/part.js';
import { type Resume, resumeOf } from '../translation/resume.js';
import { type CallerUser, userOf } from './caller-user.js';
import { mandateOf } from './mandate.js';
import type { Pursuit } from './pursuit.js';
import type { Pursuits } from './pursuits.js';
import type { SqliteTaskStore } from './task-store.js';
import { statusOf } from './task-state.js';
import type { Work } from './work.js';

export interface ExecutorPorts {
  readonly store: SqliteTaskStore;
  readonly pursuits: Pursuits;
  readonly identity: AgentIdentity;
  readonly trusted: TrustedAgents;
  /** For whom which client may ask with an access token of its own. */
  readonly actsFor: Readonly<Record<string, readonly string[]>>;
  readonly record: AppendRecord;
  readonly clock: () => number;
}

/** Unfinished tasks one client may have for one person. */
const MAX_UNFINISHED = 50;

/** The agent: takes a call into a task, and lets everything that is said about the task follow its one pursuit. */
export class ConsentExecutor implements AgentExecutor {
  constructor(private readonly ports: ExecutorPorts) {}

  execute = async (context: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const state = context.task?.status?.state;
    const hasCall = state !== undefined && state !== TaskState.TASK_STATE_INPUT_REQUIRED;
    const pursuit = hasCall ? await this.goOn(context, bus) : await this.begin(context, bus);
    await pursuit?.done;
  };

  /** The pursuit decides what became of it; a task that ran all the same says so. */
  cancelTask = async (taskId: string): Promise<void> => {
    await this.ports.pursuits.of(taskId)?.withdraw(true);
  };

  private async begin(
    context: RequestContext,
    bus: ExecutionEventBus,
  ): Promise<Pursuit | undefined> {
    const { store, pursuits, record, clock } = this.ports;
    const user = userOf(context.context);
    const task: Task = {
      id: context.taskId,
      contextId: context.contextId,
      status: undefined,
      artifacts: [],
      history: context.task?.history ?? [context.userMessage],
      metadata: undefined,
    };
    if (isPlainText(context.userMessage.parts)) {
      const status = statusOf(TaskState.TASK_STATE_INPUT_REQUIRED, task, [textPart(HOW)], clock());
      bus.publish(AgentEvent.task({ ...task, status }));
      bus.publish(tellingOf(task, status));
      return undefined;
    }
    try {
      const work = await this.workOf(context.userMessage, user);
      task.status = statusOf(TaskState.TASK_STATE_WORKING, task, [], clock());
      store.open(task, user.userName, work);
      const { client_id } = user.caller;
      const subject = work.oauth?.caller.subject ?? user.caller.subject;
      const chain = work.chain.map(({ agent }) => agent);
      record('task.opened', { task: task.id, tool: work.tool, subject, client_id, chain });
      bus.publish(AgentEvent.task(task));
      const pursuit = pursuits.start(task, work);
      pursuit.follow(bus);
      return pursuit;
    } catch (error) {
      const { state, part } = finishedTask(refusedBy(error));
      task.status = statusOf(state, task, [part], clock());
      bus.publish(AgentEvent.task(task));
      return undefined;
    }
  }

  private async goOn(
    context: RequestContext,
    bus: ExecutionEventBus,
  ): Promise<Pursuit | undefined> {
    const { store, pursuits } = this.ports;
    const task = store.get(context.taskId)?.task;
    if (task === undefined) throw new Error('a task that was there is gone');
    bus.publish(AgentEvent.task(task));
    const pursuit = pursuits.of(task.id);
    if (pursuit === undefined) {
      bus.publish(tellingOf(task, store.get(task.id)?.task.status));
      return undefined;
    }
    pursuit.follow(bus);
    const still = await resumed(pursuit, resumeOf(context.userMessage));
    if (still !== undefined) bus.publish(tellingOf(task, still));
    return pursuit;
  }

  private async workOf(message: Message, user: CallerUser): Promise<Work> {
    const { store, identity, trusted, actsFor, record, clock } = this.ports;
    const { client_id: sender, subject } = user.caller;
    const call = callOf(message);
    if (call === undefined)
      throw new Refusal('MalformedRequest', 'bridge', { path: 'message.parts' });
    const { tool, args, links } = call;
    const canonicalArgs = canonicalJson(args, 2, 'dispatcher');
    if (Buffer.byteLength(canonicalArgs) > MAX_CANONICAL_BYTES)
      throw new Refusal('PayloadTooLarge', 'dispatcher');
    if (store.unfinishedOf(user.userName) >= MAX_UNFINISHED)
      throw new Refusal('TooManyConsents', 'bridge');
    try {
      const now = Math.floor(clock() / 1000);
      const receiver = { id: identity.id, sender, trusted, now };
      const chain = await checkChain(links, { tool, canonicalArgs }, receiver);
      const mandate = mandateOf(user.authenticated, statedSubject(links), actsFor, now);
      return { tool, args, canonicalArgs, chain, ...mandate, refusedResumes: 0 };
    } catch (error) {
      if (error instanceof Refusal) {
        const { code, path } = error;
        record('hop.refused', { tool, subject, client_id: sender, code, path });
      }
      throw error;
    }
  }
}

/** What a client that speaks in words is told. */
const HOW = `This agent takes a call as a data part of ${EXTENSION_URI}, as its card says.`;

function tellingOf({ id: taskId, contextId }: Task, status: Task['status']): AgentExecutionEvent {
  return AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined });
}

/** The status to answer with when the task waits on, else undefined. */
async function resumed(pursuit: Pursuit, resume: Resume | undefined): Promise<Task['status']> {
  if (resume?.action === 'decline') {
    await pursuit.withdraw();
    return undefined;
  }
  if (resume?.action === 'continue') return pursuit.look();
  const signed = resume && signedOf(resume.signedPayload);
  return signed === undefined ? pursuit.turnDown(UNREADABLE) : pursuit.look(signed);
}

const UNREADABLE: Refused = {
  kind: 'Refused',
  code: 'MalformedRequest',
  layer: 'bridge',
  path: 'message.parts',
};

function signedOf(text: string): SignedPayload | undefined {
  try {
    return signedPayload.parse(parseStrictJson(text, 'bridge'));
  } catch {
    return undefined;
  }
}
