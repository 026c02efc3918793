import type { JsonObject } from '../contract/json.js';
import type { AskAnswer, RunEvent } from '../contract/wire.js';

/** What an upstream server asks of the client while it runs: a sample, an answer, its roots. */
export type Ask = Extract<RunEvent, { readonly kind: 'ask' }>;

/** The client's end of a run: what an upstream says and asks on the way. */
export interface Exchange {
  /** A notification of this run: progress (without its token) or a log message. */
  notify(method: string, params: JsonObject): void;
  /** Rejects when the client can no longer answer. */
  ask(ask: Ask): Promise<AskAnswer>;
}

/** For clients that cannot be reached while a call runs. */
export const UNREACHABLE: Exchange = {
  notify: () => undefined,
  ask: () => Promise.reject(new Error('the client cannot be asked')),
};
