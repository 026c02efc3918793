/** What every attack starts from: the four real processes, a person with a passkey, a task, and an honest approval. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Answer } from '../../src/cli/http.js';
import type { CompromisedBridge } from '../../src/cli/compromised-bridge.js';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import type { JsonObject } from '../../src/contract/json.js';
import type { Form2Payload, SignedPayload } from '../../src/contract/payload.js';
import type { Caller } from '../../src/contract/wire.js';
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
    const person = await stack.person(subject);
    const agent = await LegacyClient.http(stack, await stack.token(subject, { clientId }));
    return new AttackWorld(stack, person, caller, stack.compromisedBridge(), agent);
  }

  newTask(): Promise<string> {
    return this.agent.newTask('a task');
  }

  exists(task_id: string): boolean {
    return this.stack.taskIds().includes(task_id);
  }

  /** What the person signs when shown this payload on the page. */
  async sign(payload: Form2Payload): Promise<SignedPayload> {
    const attempt = await this.person.approve(await this.bridge.propose(payload));
    if (attempt.kind !== 'done') throw new Error(`the honest approval failed: ${attempt.code}`);
    return this.bridge.signed(payload.nonce);
  }

  /** The person approves deleting a fresh task. Nothing is minted yet. */
  async signedDeletion(): Promise<{ task_id: string; signed: SignedPayload }> {
    const task_id = await this.newTask();
    const signed = await this.sign(this.bridge.payload(this.caller, 'delete_task', { task_id }));
    return { task_id, signed };
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
