import type { Caller } from '../contract/wire.js';

/** `open`: runs at once. `gated`: a person signs each call. `denied`: is not offered. */
export type Mode = 'open' | 'gated' | 'denied';

export interface ToolRule {
  readonly mode: Mode;
  /** OAuth scopes the caller needs, all of them. */
  readonly scopes?: string[];
  /** The sentence the approver signs, with `{member}` placeholders over the arguments. */
  readonly message?: string;
  /** Who may approve; the first is asked. `subject` is the person the caller acts for. Default: `['subject']`. */
  readonly approvers?: string[];
  /** How long the approver has, 10 to 600 seconds. Default: 300. */
  readonly ttl_seconds?: number;
  /** What a client that cannot open links gets. Default: `result`. */
  readonly fallback?: 'result' | 'hold' | 'refuse';
}

export interface ProtectOptions<Context = unknown> {
  /** Directory for keys and stores of vault, consent page and this server; made if it is not there. */
  readonly data: string;
  /** By tool name, or pattern with `*`; the one with the most literal characters counts. What nothing names is gated. */
  readonly tools: Readonly<Record<string, Mode | ToolRule>>;
  /** Who calls: fixed (stdio), or from the request's own context (`ctx.http.authInfo`). */
  readonly caller: Caller | ((context: Context) => Caller);
  /** The first of four ports in a row, for consent page and vault. Default: 8420. Only used when `data` is new. */
  readonly portBase?: number;
}
