/** Who stands behind a connection: whoever hears what the upstream says on it and answers what it asks. */
import type { JsonObject } from '../../src/contract/json.js';
import type { AskAnswer, RunEvent } from '../../src/contract/wire.js';

type AskEvent = Extract<RunEvent, { readonly kind: 'ask' }>;
export type AskMethod = AskEvent['method'];
export type AskRound = AskEvent['round'];
export const ASK_METHODS: readonly AskMethod[] = [
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
];

export function isAskMethod(method: string): method is AskMethod {
  return ASK_METHODS.some((known) => known === method);
}

export interface ConnectionPeer {
  notify(method: string, params: JsonObject): void;
  /** @param signal aborts when the upstream no longer waits */
  ask(
    method: AskMethod,
    params: JsonObject,
    signal: AbortSignal,
    round?: AskRound,
  ): Promise<AskAnswer>;
}

/** Hears nothing and answers nothing. */
export const NOBODY: ConnectionPeer = {
  notify: () => undefined,
  ask: () => Promise.resolve({ error: { code: -32_601, message: 'Nobody can be asked here.' } }),
};
