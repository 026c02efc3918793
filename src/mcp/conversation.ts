import type { ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../contract/json.js';
import type { AskAnswer } from '../contract/wire.js';
import type { Ask, Exchange } from '../dispatcher/exchange.js';
import type { Outcome } from '../dispatcher/outcome.js';
import { Progress } from './progress.js';

/** Sends an ask to the client at once; undefined where a client only gets it with the answer to its request. */
export type Push = ((ask: Ask, ctx: ServerContext) => Promise<AskAnswer>) | undefined;

/** Key of the one input that a gated call asks of a 2026-07-28 client. */
export const APPROVAL = 'approval';

interface Open {
  readonly ask: Ask;
  readonly resolve: (answer: AskAnswer) => void;
}

/** What the client is asked, by the key under which it answers. */
export type Questions = ReadonlyMap<string, Ask>;

/**
 * One run and the client's end of it, over as many requests as the client needs: a 2026-07-28 client is asked with the
 * answer to one request (`input_required`) and answers with the next, while the run waits.
 */
export class Conversation implements Exchange {
  readonly progress = new Progress();
  private readonly open = new Map<string, Open>();
  /** How many more the upstream asks together with the last one. */
  private following = 0;
  private readonly ending = new AbortController();
  private wake: () => void = () => undefined;
  private running: Promise<Outcome> | undefined;
  private readonly given: Map<string, JsonObject>;

  constructor(
    private ctx: ServerContext,
    private readonly push: Push,
    /** Answers that came with the first request, by the keys under which the upstream will ask for them. */
    given: Readonly<Record<string, JsonObject>> = {},
  ) {
    this.given = new Map(Object.entries(given));
  }

  /** Aborted when the client gave up. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  start(run: (conversation: Conversation) => Promise<Outcome>): void {
    this.running = run(this);
  }

  /** The client is back with another request. Its answers by key; what is not among them is asked again. */
  resume(ctx: ServerContext, answers: Readonly<Record<string, JsonObject>>): void {
    this.ctx = ctx;
    for (const [key, { resolve }] of [...this.open]) {
      const result = Object.hasOwn(answers, key) ? answers[key] : undefined;
      if (result === undefined) continue;
      this.open.delete(key);
      resolve({ result });
    }
  }

  /** The outcome, or what the client must be asked before there is one. */
  async next(): Promise<Outcome | Questions> {
    if (this.running === undefined) throw new Error('nothing was started');
    while (this.open.size === 0 || this.following > 0) {
      const asked = new Promise<void>((resolve) => (this.wake = resolve));
      const outcome = await Promise.race([this.running, asked]);
      if (outcome !== undefined) return outcome;
    }
    return new Map([...this.open].map(([key, { ask }]) => [key, ask]));
  }

  end(): void {
    this.ending.abort();
    for (const { resolve } of this.open.values())
      resolve({ error: { code: -32_800, message: 'The client is gone' } });
    this.open.clear();
  }

  notify(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') this.progress.ofTool(this.ctx, params);
    else this.ctx.mcpReq.notify({ method, params }).catch(() => undefined);
  }

  ask(ask: Ask): Promise<AskAnswer> {
    if (this.push !== undefined) return this.push(ask, this.ctx);
    const answer = this.takeGiven(ask);
    this.following = (this.following > 0 ? this.following : (ask.round?.size ?? 1)) - 1;
    if (answer !== undefined) {
      this.wake();
      return Promise.resolve({ result: answer });
    }
    return new Promise((resolve) => {
      this.open.set(this.keyOf(ask), { ask, resolve });
      this.wake();
    });
  }

  /** Once: what is asked again is a question to the client. */
  private takeGiven({ round }: Ask): JsonObject | undefined {
    const key = round?.key;
    if (key === undefined || key === APPROVAL) return undefined;
    const answer = this.given.get(key);
    this.given.delete(key);
    return answer;
  }

  /** The upstream's own key, unless that already means something. */
  private keyOf({ id, round }: Ask): string {
    const key = round?.key ?? id;
    return key === APPROVAL || this.open.has(key) ? id : key;
  }
}
