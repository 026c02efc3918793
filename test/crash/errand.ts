/** One wish of an agent, taken from the first call to the last answer, however often a process dies under it. */
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import type { AgentLine, Reply } from './agent-line.js';

export interface Wish {
  /** Unique text that names the effect: the task's title. */
  readonly key: string;
  readonly command: 'create_task' | 'delete_task';
  readonly args: Record<string, unknown>;
  /** What the person does. */
  readonly plan: 'approve' | 'decline' | 'ignore';
  /** The agent already waits while the person decides (2026-07-28 clients do). */
  readonly eager: boolean;
  /** The last call is made twice at once. */
  readonly twice: boolean;
}

/** What the outside saw of it. */
export interface Errand {
  readonly wish: Wish;
  readonly approver: SoftwareApprover;
  /** Every consent this wish was given. */
  readonly consents: Set<string>;
  /** A signature has left the person's authenticator. */
  signed: boolean;
  /** The page told the person that the decision is taken. */
  decided: boolean;
  /** What the agent was told in the end. */
  told: Reply | undefined;
  readonly log: string[];
}

/** Refusals that only say "not now". */
const NOT_NOW = new Set(['Unavailable', 'Internal', 'RateLimited', 'Unauthenticated']);
const PATIENCE_MS = 300_000;
/** Between two tries of one thing: from the first to the last, each twice the one before. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 640;

export async function runErrand(
  wish: Wish,
  line: AgentLine,
  approver: SoftwareApprover,
  onStep: () => void,
): Promise<Errand> {
  const started = performance.now();
  const errand: Errand = {
    ...{ wish, approver, consents: new Set<string>(), log: [] },
    ...{ signed: false, decided: false, told: undefined },
  };
  const note = (text: string): void => {
    errand.log.push(`${Math.round(performance.now() - started)} ms ${text}`);
  };
  const call = async (requestState?: string): Promise<Reply> => {
    const reply = await line.call(wish.command, wish.args, requestState);
    note(`call: ${reply.kind} ${'why' in reply ? reply.why : ''}${'id' in reply ? reply.id : ''}`);
    if (reply.kind === 'asked') errand.consents.add(reply.id);
    if (!isTransient(reply)) onStep();
    return reply;
  };
  const pause = async (tries: number): Promise<void> => {
    if (performance.now() - started > PATIENCE_MS) throw new Stuck(errand);
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** tries, LAST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, ms));
  };
  const until = async (get: () => Promise<Reply>): Promise<Reply> => {
    for (let tries = 0; ; tries += 1) {
      const reply = await get();
      if (!isTransient(reply)) return reply;
      await pause(tries);
    }
  };

  const asked = await until(() => call());
  if (asked.kind !== 'asked') return { ...errand, told: asked };
  if (wish.plan === 'ignore') return errand;

  const waiting = wish.eager ? call(asked.requestState) : undefined;
  for (let tries = 0; ; tries += 1) {
    errand.signed ||= wish.plan === 'approve';
    const answer = await decide(wish.plan, approver, asked.url);
    note(`${wish.plan}: ${answer}`);
    if (answer === 'done') break;
    await pause(tries);
  }
  errand.decided = true;
  onStep();
  await waiting;
  const [told] = await Promise.all([
    until(() => call(asked.requestState)),
    wish.twice ? until(() => call(asked.requestState)) : undefined,
  ]);
  errand.told = told;
  return errand;
}

export class Stuck extends Error {
  constructor(errand: Errand) {
    super(`${errand.wish.key} got no further:\n${errand.log.slice(-10).join('\n')}`);
  }
}

function isTransient(reply: Reply): boolean {
  switch (reply.kind) {
    case 'lost':
    case 'error':
      return true;
    case 'not-done':
      return NOT_NOW.has(reply.why);
    case 'asked':
    case 'success':
      return false;
  }
}

async function decide(
  plan: Wish['plan'],
  approver: SoftwareApprover,
  url: string,
): Promise<string> {
  try {
    const attempt =
      plan === 'approve' ? await approver.approve(url) : await approver.decline(url, 'no');
    return attempt.kind === 'done' ? 'done' : attempt.code;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
