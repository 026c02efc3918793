/** Agents that keep wishing and people that keep deciding, several at a time, until told to stop. */
import { Pool } from 'undici';
import { AgentLine } from './agent-line.js';
import { Dice } from './dice.js';
import type { Domains } from './domains.js';
import type { Effects } from './effects.js';
import { type Errand, type Wish, runErrand } from './errand.js';
import type { Pair } from './people.js';

export class Load {
  private readonly pool: Pool;
  private readonly lines;
  private wishes = 0;
  private steps = 0;
  private going = false;
  private workers: Promise<void>[] = [];
  private finished: Errand[] = [];
  private readonly failures: unknown[] = [];

  constructor(
    domains: Domains,
    private readonly pairs: readonly [Pair, ...Pair[]],
    private readonly effects: Effects,
    private readonly seed: number,
  ) {
    this.pool = new Pool(new URL(domains.mcpUrl).origin, { connections: 64 });
    this.lines = new Map(
      pairs.map(({ subject, token }) => [
        subject,
        {
          legacy: new AgentLine(this.pool, token, 'legacy'),
          modern: new AgentLine(this.pool, token, 'modern'),
        },
      ]),
    );
  }

  start(atOnce: number): void {
    this.going = true;
    this.workers = Array.from({ length: atOnce }, () =>
      this.work().catch((error: unknown) => void this.failures.push(error)),
    );
  }

  /** Lets what is under way come to its end and hands out everything since the last time. */
  async drain(): Promise<Errand[]> {
    this.going = false;
    await Promise.all(this.workers);
    if (this.failures.length > 0) throw this.failures[0];
    const { finished } = this;
    this.finished = [];
    return finished;
  }

  /** Resolves when so many more answers have come, or the time is over. */
  async progress(steps: number, withinMs: number): Promise<void> {
    const [goal, until] = [this.steps + steps, performance.now() + withinMs];
    while (this.steps < goal && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  private async work(): Promise<void> {
    while (this.going) {
      this.wishes += 1;
      const dice = new Dice(this.seed * 1_000_003 + this.wishes);
      const pair = dice.pick(this.pairs);
      const era = dice.pick<AgentLine['era']>(['legacy', 'modern']);
      const line = this.lines.get(pair.subject)?.[era];
      if (line === undefined) throw new Error('a pair without a line');
      const wish = this.wish(`wish ${this.seed}-${this.wishes}`, era, dice);
      this.finished.push(await runErrand(wish, line, pair.approver, () => (this.steps += 1)));
    }
  }

  private wish(key: string, era: AgentLine['era'], dice: Dice): Wish {
    const plan = dice.pick<Wish['plan']>([
      ...(['approve', 'approve', 'approve', 'approve', 'approve', 'approve'] as const),
      ...(['decline', 'ignore'] as const),
    ]);
    const modern = era === 'modern';
    const eager = modern && dice.chance(0.4);
    const twice = modern && dice.chance(0.3);
    return dice.chance(0.7)
      ? { key, command: 'create_task', args: { title: key }, plan, eager, twice }
      : {
          key,
          command: 'delete_task',
          args: { task_id: this.effects.plant(key) },
          plan,
          eager,
          twice,
        };
  }
}
