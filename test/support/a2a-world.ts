/** A chain of real agents with somebody on each wire between them, a person with a passkey, and an MCP client at its head. */
import { randomUUID } from 'node:crypto';
import { openStores } from '../../src/core.js';
import { AgentChain } from '../../src/cli/a2a-agents.js';
import type { ChainOptions } from '../../src/cli/a2a-layout.js';
import { Wire } from '../../src/cli/a2a-wire.js';
import { domainDir } from '../../src/cli/data-directory.js';
import { inviteApprover } from '../../src/cli/operator.js';
import { SoftwareApprover } from '../../src/cli/software-approver.js';
import { LegacyClient, structured } from './mcp-clients.js';
import { TestStack } from './test-stack.js';

export class A2aWorld {
  private constructor(
    readonly chain: AgentChain,
    readonly stack: TestStack,
    /** `wires[n]` is what agent `n` sends to agent `n + 1`. */
    readonly wires: readonly Wire[],
    readonly subject: string,
    readonly person: SoftwareApprover,
    /** The MCP client of the first agent. */
    public host: LegacyClient,
  ) {}

  static async open(depth: number, amend?: ChainOptions['amend']): Promise<A2aWorld> {
    const subject = 'alice@example.com';
    const wires = await Promise.all(Array.from({ length: depth }, () => Wire.open()));
    const chain = await AgentChain.start({
      depth,
      subject,
      publicUrl: (n, url) => {
        const wire = wires[n - 1];
        if (wire === undefined) return url;
        wire.target = url;
        return wire.url;
      },
      ...(amend === undefined ? {} : { amend }),
    });
    const stack = TestStack.attach(chain.data);
    const person = new SoftwareApprover(stack.origin);
    await person.enrol((await inviteApprover(chain.data, subject)).link);
    const host = await A2aWorld.hostOf(chain, await chain.token(subject, 'claude'));
    return new A2aWorld(chain, stack, wires, subject, person, host);
  }

  /** A 2025-era MCP client of the first agent. */
  static hostOf(chain: AgentChain, token: string): Promise<LegacyClient> {
    return LegacyClient.http({ mcpUrl: `${chain.first.url}/mcp` }, token);
  }

  /** Another MCP client, since the rate of new consents is counted per client. */
  async freshHost(): Promise<void> {
    const { db, tokens } = openStores(domainDir(this.chain.first.data, 'bridge'), Date.now);
    const caller = {
      subject: this.subject,
      client_id: `host-${randomUUID().slice(0, 8)}`,
      scopes: ['tasks.read', 'tasks.write'],
    };
    const { token } = tokens.issue(caller, 600);
    db.close();
    await this.host.close();
    this.host = await A2aWorld.hostOf(this.chain, token);
  }

  get tool(): string {
    return this.chain.tool('delete_task');
  }

  get lastWire(): Wire {
    return this.wires.at(-1)!;
  }

  async newTask(): Promise<string> {
    const made = await this.host.call(this.chain.tool('create_task'), { title: randomUUID() });
    return (structured(made) as unknown as { task: { id: string } }).task.id;
  }

  exists(task_id: string): boolean {
    return this.stack.taskIds().includes(task_id);
  }

  async close(): Promise<void> {
    await this.host.close();
    for (const wire of this.wires) wire.close();
    await this.chain.stop();
  }
}
