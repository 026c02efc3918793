/** What every attack starts from: the four real processes, a person with a passkey, a task, and an honest approval. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Answer } from '../../src/cli/http.js';
import type { CompromisedBridge } from '../../src/cli/compromised-bridge.js';
import { SoftwareApprover } from '../../src/cli/software-approver.js';
import { canonicalBytes } from '../../src/contract/canonical.js';
import type { JsonObject } from '../../src/contract/json.js';
import type { Form2Payload, SignedPayload } from '../../src/contract/payload.js';
import type { Caller } from '../../src/contract/wire.js';
import { CeremonyClient, tokenFor } from './direct-enrolment.js';
import { LegacyClient } from './mcp-clients.js';
import { TestStack } from './test-stack.js';

declare module 'vitest' {
  interface ProvidedContext {
    stackData: string;
  }
}

/** A call a person has approved. Executing it as it is succeeds. */
export interface ApprovedCall {
  readonly command: string;
  readonly args: JsonObject;
  readonly caller: Caller;
  readonly signed: SignedPayload;
  readonly credential: string;
}

export interface ProposedDeletion extends SignedPayload {
  readonly payload: Form2Payload;
  readonly link: string;
  /** Of the link. */
  readonly path: string;
}

export class AttackWorld {
  private constructor(
    readonly stack: TestStack,
    readonly person: SoftwareApprover,
    readonly caller: Caller,
    /** The attacker in the bridge's place, unless a test takes over another domain. */
    readonly bridge: CompromisedBridge,
    readonly agent: LegacyClient,
  ) {}

  /** On the stack all attack tests share, as people and agents of its own. */
  static async open(): Promise<AttackWorld> {
    return AttackWorld.on(TestStack.attach(inject('stackData')));
  }

  static async on(stack: TestStack): Promise<AttackWorld> {
    const subject = `${randomUUID()}@example.com`;
    const clientId = `agent-${randomUUID()}`;
    const caller = { subject, client_id: clientId, scopes: ['tasks.read', 'tasks.write'] };
    const person = new SoftwareApprover(stack.origin);
    await new CeremonyClient(stack).enrol(subject, (options) => person.passkey.register(options));
    const agent = await LegacyClient.http(stack, tokenFor(stack, caller));
    return new AttackWorld(stack, person, caller, stack.compromisedBridge(), agent);
  }

  async newTask(): Promise<string> {
    const call = { command: 'create_task', args: { title: 'a task' }, caller: this.caller };
    const { body } = await this.bridge.execute(call);
    return (body as { result: { task: { id: string } } }).result.task.id;
  }

  exists(task_id: string): boolean {
    return this.stack.taskIds().includes(task_id);
  }

  /** The person approves this payload on the page. */
  async sign(payload: Form2Payload): Promise<SignedPayload> {
    const attempt = await this.person.approve(await this.bridge.propose(payload));
    if (attempt.kind !== 'done') throw new Error(`the honest approval failed: ${attempt.code}`);
    return this.bridge.signed(payload.nonce);
  }

  /** What {@link sign} comes to, made with the passkey alone: for attacks on vault and resource server. */
  signDirectly(payload: Form2Payload): SignedPayload {
    const signature = this.person.passkey.sign(canonicalBytes(payload, 'client'));
    return { payload, signature };
  }

  /** The person signs the deletion of a fresh task. Nothing is minted yet. */
  async signedDeletion(): Promise<{ task_id: string; signed: SignedPayload }> {
    const task_id = await this.newTask();
    const payload = this.bridge.payload(this.caller, 'delete_task', { task_id });
    return { task_id, signed: this.signDirectly(payload) };
  }

  /** The deletion of a fresh task stands before the person on the page, and this signature would approve it. */
  async proposedDeletion(): Promise<ProposedDeletion> {
    const args = { task_id: await this.newTask() };
    const payload = this.bridge.payload(this.caller, 'delete_task', args);
    const link = await this.bridge.propose(payload);
    const { signature } = this.signDirectly(payload);
    return { payload, link, path: new URL(link).pathname, signature };
  }

  /** The person approves deleting a fresh task, and the vault mints. Nothing is executed yet. */
  async approvedDeletion(): Promise<ApprovedCall & { task_id: string }> {
    const { task_id, signed } = await this.signedDeletion();
    const credential = await this.bridge.credential(signed);
    return {
      task_id,
      command: 'delete_task',
      args: { task_id },
      caller: this.caller,
      signed,
      credential,
    };
  }

  execute({ command, args, caller, signed, credential }: ApprovedCall): Promise<Answer> {
    return this.bridge.execute({ command, args, caller, signed, credential });
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}

/** What a refused answer says of itself. */
export function refusal(answer: Answer): { status: number; code: unknown; layer: unknown } {
  const { code, layer } = answer.body as { code?: unknown; layer?: unknown };
  return { status: answer.status, code, layer };
}
