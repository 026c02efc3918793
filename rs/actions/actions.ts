/** What the resource server can do, as `execute` sees it. */
import type { JsonObject } from '../../src/contract/json.js';
import type { ExecuteRequest, ExecutionOutcome } from '../../src/contract/wire.js';
import type { ConsumedAction, OpenAction } from '../states.js';
import type { ConnectionPeer } from '../upstream/connection-peer.js';

type Unnamed<Outcome> = Outcome extends unknown ? Omit<Outcome, 'jti'> : never;
/** The tool's own answer; an error it reports is an answer too. */
export type ActionOutcome = Unnamed<ExecutionOutcome>;

/** Who sent a call, and how it can be reached while the call runs. */
export interface Sender {
  /** The authenticated service. */
  readonly service: string;
  readonly peer: ConnectionPeer;
  /** Aborts when it is gone: then a call that nobody signed is cancelled. */
  readonly signal?: AbortSignal | undefined;
}

export interface Actions {
  /** @throws Refusal Unavailable if nobody can say at present */
  has(command: string): Promise<boolean>;
  /** True if the tool is no longer what the operator accepted. */
  isChanged(command: string): boolean;
  /** @throws Refusal MalformedRequest with the path of the argument; changes nothing */
  checkInput(command: string, args: JsonObject): void;
  /** Makes sure that what runs the command can be reached; changes nothing. @throws Refusal Unavailable, RateLimited */
  ready(request: ExecuteRequest, service: string): Promise<void>;
  /**
   * Accepts only a call that passed every check.
   * @throws Refusal for an OpenAction of which nothing has begun; else rejects only if it is unknown what has been done
   */
  run(action: ConsumedAction | OpenAction, sender: Sender): Promise<ActionOutcome>;
}
