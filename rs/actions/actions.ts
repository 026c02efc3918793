/** What the resource server can do, as `execute` sees it. */
import type { JsonObject } from '../../src/contract/json.js';
import type { ToolDefinition } from '../../src/contract/wire.js';
import type { ConsumedAction, OpenAction } from '../states.js';

/** The tool's own answer; an error it reports is an answer too. */
export type ActionOutcome =
  | { readonly status: 'success'; readonly result: JsonObject }
  | {
      readonly status: 'failure';
      readonly error: { readonly code: string; readonly message: string };
    };

export interface Actions {
  readonly definitions: readonly ToolDefinition[];
  has(command: string): boolean;
  /** @throws Refusal MalformedRequest with the path of the argument; changes nothing */
  checkInput(command: string, args: JsonObject): void;
  /**
   * Accepts only a call that passed every check. Rejects only if it is unknown what has been done.
   */
  run(action: ConsumedAction | OpenAction): Promise<ActionOutcome>;
}
