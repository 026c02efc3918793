import { type Artifact, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus } from '@a2a-js/sdk/server';
import { displayText } from '../../contract/display.js';
import { Refusal } from '../../contract/errors.js';
import type { Caller } from '../../contract/wire.js';
import type { SignedPayload } from '../../contract/payload.js';
import type { Dispatching } from '../../dispatcher/dispatch.js';
import {
  type ApprovalRequired,
  type Outcome,
  type Refused,
  refusedBy,
} from '../../dispatcher/outcome.js';
import type { ToolCall } from '../../dispatcher/proposal.js';
import type { AppendRecord } from '../../store/record.js';
import type { Callers } from '../../mcp/callers.js';
import type { AgentIdentity } from '../signing/agent-keys.js';
import { signAsk } from '../signing/ask-signature.js';
import { sha256 } from '../signing/hop-link.js';
import { type Ask, askOf, askPartOf, unsignedAsk } from '../translation/ask.js';
import { finishedTask, partOf } from '../translation/outcome.js';
import { dataPart, textPart } from '../translation/part.js';
import { callerUnder } from './mandate.js';
import type { PushSender } from './push-sender.js';
import type { SqliteTaskStore } from './task-store.js';
import { statusOf } from './task-state.js';
import type { Work } from './work.js';

export interface PursuitPorts {
  readonly dispatcher: Dispatching;
  readonly store: SqliteTaskStore;
  readonly callers: Callers;
  readonly identity: AgentIdentity;
  readonly push: PushSender;
  readonly record: AppendRecord;
  readonly clock: () => number;
}

type Final = Exclude<Outcome, ApprovalRequired>;

/** How long one look waits for the person, and how long after a part of the system was away. */
const WAIT_S = 25;
const RETRY_MS = 2000;
/** Refused signatures after which the task ends: an agent on the way cannot have the vault guess for ever. */
const MAX_REFUSED_RESUMES = 5;
/** Streams on one task; the oldest gives way, and its client may subscribe again. */
const MAX_FOLLOWERS = 16;

/**
 * One task on its way to its end. It goes on by itself when the person signs, whether or not anybody is connected, and
 * from where it was after a restart. Every request about the task only follows it.
 */
export class Pursuit {
  private readonly followers = new Set<ExecutionEventBus>();
  private readonly stop = new AbortController();
  private ask: Ask | undefined;
  private cancelling = false;
  /** Resolves when the task is final, or the process stops. */
  readonly done: Promise<void>;

  constructor(
    private readonly task: Pick<Task, 'id' | 'contextId' | 'status'>,
    private work: Work,
    private readonly ports: PursuitPorts,
    whenDone: () => void,
  ) {
    this.ask = askOf(task.status?.message);
    this.done = this.run().finally(() => {
      for (const bus of this.followers) bus.finished();
      whenDone();
    });
  }

  follow(bus: ExecutionEventBus): void {
    this.followers.add(bus);
    const [oldest] = this.followers;
    if (this.followers.size <= MAX_FOLLOWERS || oldest === undefined) return;
    this.followers.delete(oldest);
    oldest.finished();
  }

  /** Looks once how things stand. The status to answer with when the task still waits, else undefined. */
  async look(signed?: SignedPayload): Promise<TaskStatus | undefined> {
    if (this.work.consentId === undefined) return undefined;
    const outcome = await this.dispatch(0, false, signed);
    if (outcome.kind === 'ApprovalRequired') return this.asking();
    if (isAway(outcome)) return this.asking(outcome);
    const refused = outcome.kind === 'Refused' && outcome.consentId === undefined;
    if (refused && signed !== undefined) return this.turnDown(outcome);
    this.finish(outcome);
    return undefined;
  }

  /** A resume that cannot be used. The task waits on for a better one, but not for ever. */
  async turnDown(refused: Refused): Promise<TaskStatus | undefined> {
    this.work = { ...this.work, refusedResumes: this.work.refusedResumes + 1 };
    this.ports.store.setWork(this.task.id, this.work);
    if (this.work.refusedResumes < MAX_REFUSED_RESUMES) return this.asking(refused);
    this.finish(refused);
    await this.withdrawConsent();
    return undefined;
  }

  /** The asker refuses or cancels. What the person decided before that stays decided, and runs. */
  async withdraw(cancel = false): Promise<void> {
    if (this.work.consentId === undefined) return this.done;
    this.cancelling = cancel;
    await this.withdrawConsent();
    await this.look();
  }

  close(): void {
    this.stop.abort();
  }

  private async run(): Promise<void> {
    while (!this.stopped()) {
      const parked = this.work.consentId !== undefined;
      const outcome = await this.dispatch(parked ? WAIT_S : 0, !parked);
      if (outcome.kind === 'ApprovalRequired') await this.park(outcome);
      else if (parked && isAway(outcome)) await this.pause();
      else if (!this.stopped() || !isAway(outcome)) {
        this.finish(outcome);
        return;
      }
    }
  }

  private stopped(): boolean {
    return this.stop.signal.aborted;
  }

  private async dispatch(
    waitSeconds: number,
    mayAsk: boolean,
    signed?: SignedPayload,
  ): Promise<Outcome> {
    const { signal } = this.stop;
    const outcome = await this.attempt((call) =>
      this.ports.dispatcher.dispatch(
        { ...call, ...(signed === undefined ? {} : { signed }) },
        { mayAsk, waitSeconds, signal, stillMay: () => void this.actsFor() },
      ),
    );
    // Asked once and not answered in time. A new task may ask anew.
    const late = !mayAsk && outcome.kind === 'Refused' && outcome.code === 'ApprovalRequired';
    return late ? { kind: 'Refused', code: 'ConsentExpired', layer: 'dispatcher' } : outcome;
  }

  private async withdrawConsent(): Promise<void> {
    const { consentId } = this.work;
    if (consentId === undefined) return;
    await this.attempt((call) => this.ports.dispatcher.declinedByClient(call, consentId));
  }

  /** The call is built anew each time, so that a token revoked or narrowed in between counts. */
  private async attempt(use: (call: ToolCall) => Promise<Outcome>): Promise<Outcome> {
    const { tool, args, canonicalArgs, chain, consentId } = this.work;
    const clientName = chain
      .map(({ agent }) => agent)
      .join(' → ')
      .slice(0, 256);
    const same = consentId === undefined ? {} : { consentId };
    try {
      const { subject, scopes } = this.actsFor();
      const caller = { subject, client_id: this.ports.identity.id, scopes };
      return await use({ caller, tool, args, canonicalArgs, chain, clientName, ...same });
    } catch (error) {
      return error instanceof Refusal ? refusedBy(error) : internal(error);
    }
  }

  /** For whom the task acts now. @throws Refusal `Unauthenticated` when it may not go on */
  private actsFor(): Caller {
    const { callers, clock } = this.ports;
    const known = callerUnder(this.work, callers, Math.floor(clock() / 1000));
    if (known === undefined) throw new Refusal('Unauthenticated', 'bridge');
    return known;
  }

  private async park(required: ApprovalRequired): Promise<void> {
    const same = this.ask !== undefined && this.work.consentId === required.consentId;
    if (same) return;
    this.ask = required.ask ?? (await this.signed(required));
    this.work = { ...this.work, consentId: required.consentId };
    this.ports.store.setWork(this.task.id, this.work);
    this.publish(this.asking());
  }

  private signed({ payload, url }: ApprovalRequired): Promise<Ask> {
    if (payload === undefined) throw new Error('an approval without what is to be approved');
    return signAsk(unsignedAsk(payload, url, this.work.chain, sha256), this.ports.identity);
  }

  private asking(refused?: Final): TaskStatus {
    const { ask } = this;
    if (ask === undefined) throw new Error('a parked task without an ask');
    const sentence = `A person must approve this first: “${displayText(ask.binding_message)}” at ${ask.consent_url}`;
    const parts = [textPart(sentence), askPartOf(ask)];
    if (refused !== undefined) parts.push(dataPart(partOf(refused)));
    return statusOf(TaskState.TASK_STATE_AUTH_REQUIRED, this.task, parts, this.ports.clock());
  }

  /** The first end wins; the caller's next identical call is a new wish only after it is on disk. */
  private finish(outcome: Final): void {
    const withdrawn = this.cancelling && outcome.kind === 'Declined' && outcome.by === 'client';
    const { state, part } = finishedTask(outcome);
    const success = outcome.kind === 'Success';
    const artifacts: Artifact[] = success
      ? [
          {
            artifactId: 'outcome',
            name: 'outcome',
            description: '',
            parts: [part],
            metadata: undefined,
            extensions: [],
          },
        ]
      : [];
    const status = statusOf(
      withdrawn ? TaskState.TASK_STATE_CANCELED : state,
      this.task,
      success ? [] : [part],
      this.ports.clock(),
    );
    if (!this.publish(status, artifacts)) return;
    this.ports.dispatcher.acknowledge(outcome);
    const consent = this.work.consentId === undefined ? {} : { consent: this.work.consentId };
    this.ports.record('task.ended', { task: this.task.id, ...consent, status: outcome.kind });
  }

  private publish(status: TaskStatus, artifacts: Artifact[] = []): boolean {
    const { id: taskId, contextId } = this.task;
    const moved = this.ports.store.move(taskId, status, artifacts);
    if (moved === undefined) return false;
    const metadata = undefined;
    for (const bus of this.followers) {
      for (const artifact of artifacts)
        bus.publish(
          AgentEvent.artifactUpdate({
            taskId,
            contextId,
            artifact,
            append: false,
            lastChunk: true,
            metadata,
          }),
        );
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata }));
    }
    this.ports.push.send(moved, { taskId, contextId, status, metadata });
    return true;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      this.stop.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** Something was unreachable: the task stays parked, and the signed deadline ends it if nothing else does. */
function isAway(outcome: Final): boolean {
  return (
    outcome.kind === 'Refused' &&
    (outcome.code === 'Unavailable' ||
      outcome.code === 'RateLimited' ||
      outcome.code === 'Internal')
  );
}

function internal(error: unknown): Final {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return { kind: 'Refused', code: 'Internal', layer: 'bridge' };
}
