/** A running stack with a person, their agent and the count of effects: where the hard times and the races take place. */
import { Pool } from 'undici';
import { CompromisedBridge } from '../../src/cli/compromised-bridge.js';
import { AgentLine, type Reply } from './agent-line.js';
import { Domains } from './domains.js';
import { Effects } from './effects.js';
import { everyWriteGated } from './gated-writes.js';
import { type Pair, pairs } from './people.js';

export interface Asked {
  readonly key: string;
  readonly id: string;
  readonly url: string;
  readonly requestState: string;
}

export class Stage {
  private readonly pool: Pool;
  private wishes = 0;
  /** What the agent's calls came to, oldest first. */
  readonly replies: Reply[] = [];

  private constructor(
    readonly domains: Domains,
    readonly pair: Pair,
    readonly effects: Effects,
  ) {
    this.pool = new Pool(new URL(domains.mcpUrl).origin, { connections: 64 });
  }

  /** @param data an existing directory to put everything in; by default a temporary one */
  static async open(data?: string): Promise<Stage> {
    const domains = await (await Domains.provision(everyWriteGated, data)).start();
    const [pair] = await pairs(domains, 1);
    return new Stage(domains, pair, new Effects(domains.dir('rs')));
  }

  line(era: AgentLine['era']): AgentLine {
    return new AgentLine(this.pool, this.pair.token, era);
  }

  /** Everything in the bridge's data directory, in other hands. */
  takenBridge(): CompromisedBridge {
    return new CompromisedBridge(this.domains);
  }

  newKey(): string {
    this.wishes += 1;
    return `wish ${this.wishes}`;
  }

  /** The agent's call that creates the task of this name. */
  async create(line: AgentLine, key: string, requestState?: string): Promise<Reply> {
    const reply = await line.call('create_task', { title: key }, requestState);
    this.replies.push(reply);
    return reply;
  }

  /** A new wish, up to the point where a person must sign. */
  async ask(line: AgentLine): Promise<Asked> {
    const key = this.newKey();
    const reply = await this.create(line, key);
    if (reply.kind !== 'asked') throw new Error(`not asked but ${JSON.stringify(reply)}`);
    return { key, ...reply };
  }

  /** What the page answers: `done`, a refusal's code, or why there was no answer. */
  async approve({ url }: Asked): Promise<string> {
    try {
      const attempt = await this.pair.approver.approve(url);
      return attempt.kind === 'done' ? 'done' : attempt.code;
    } catch (error) {
      return String(error);
    }
  }

  async askAndApprove(line: AgentLine): Promise<Asked> {
    const asked = await this.ask(line);
    const answer = await this.approve(asked);
    if (answer !== 'done') throw new Error(`the honest approval failed: ${answer}`);
    return asked;
  }

  /** How often the wish was really carried out. */
  ran({ key }: Pick<Asked, 'key'>): number {
    return this.effects.count('create_task', key);
  }

  async close(): Promise<void> {
    await this.pool.destroy();
    await this.domains.stop();
  }
}
