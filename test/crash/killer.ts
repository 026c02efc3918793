/** Kills one domain at a time at seeded points and starts it again. Several killers may be at work on different domains. */
import { DOMAINS, type Domain } from '../../src/cli/data-directory.js';
import { Dice } from './dice.js';
import type { Domains } from './domains.js';

export type How = 'at a failpoint' | 'at any time' | 'while starting';

export interface Kill {
  readonly run: number;
  readonly domain: Domain;
  readonly how: How;
}

/** Failpoints a domain passes in a moment of load, and in a start. */
const WITHIN_LOAD = 60;
const WITHIN_START = 12;
const WITHIN_MS = 150;
/** Steps agents and people get on with before the next kill, so that there is something to lose. */
const STEPS_BETWEEN = 12;
/** However slow the machine is. */
const PROGRESS_WITHIN_MS = 30_000;
/** An armed process that gets no work is killed after this long all the same. */
const PATIENCE_MS = 1500;

export class Killer {
  private readonly taken = new Set<Domain>();
  readonly kills: Kill[] = [];

  constructor(
    private readonly domains: Domains,
    private readonly load: { progress(steps: number, withinMs: number): Promise<void> },
    private readonly seed: number,
  ) {}

  /** One run: a kill and a restart, both chosen by the seed and the number. */
  async run(run: number): Promise<void> {
    const dice = new Dice(this.seed * 7_368_787 + run);
    const domain = this.free(dice);
    this.taken.add(domain);
    try {
      const how = dice.pick<How>([
        ...(['at a failpoint', 'at a failpoint', 'at a failpoint'] as const),
        ...(['at any time', 'while starting'] as const),
      ]);
      this.kills.push({ run, domain, how });
      await this.load.progress(dice.int(1, STEPS_BETWEEN), PROGRESS_WITHIN_MS);
      await this.kill(domain, how, dice);
      await this.domains.up(domain);
    } finally {
      this.taken.delete(domain);
    }
  }

  private async kill(domain: Domain, how: How, dice: Dice): Promise<void> {
    if (how !== 'at any time') {
      if (how === 'at a failpoint') this.domains.arm(domain, dice.int(1, WITHIN_LOAD));
      else {
        await this.domains.kill(domain);
        if (!(await this.domains.up(domain, dice.int(1, WITHIN_START)))) return;
      }
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), PATIENCE_MS);
      await Promise.race([this.domains.gone(domain), aborted(late.signal)]);
      clearTimeout(timer);
    } else await new Promise((resolve) => setTimeout(resolve, dice.int(0, WITHIN_MS)));
    await this.domains.kill(domain);
  }

  /** The seed's choice, or the next domain nobody else is killing. */
  private free(dice: Dice): Domain {
    const first = dice.int(0, DOMAINS.length - 1);
    const order = [...DOMAINS.slice(first), ...DOMAINS.slice(0, first)];
    const domain = order.find((one) => !this.taken.has(one));
    if (domain === undefined) throw new Error('more killers than domains');
    return domain;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
