import type { JsonObject } from '../../contract/json.js';
import type { Hop } from '../../dispatcher/proposal.js';
import type { Mandate } from './mandate.js';

/** The call behind a task, kept with it so that a restart can go on. The arguments are a snapshot from the moment it came. */
export interface Work extends Mandate {
  readonly tool: string;
  readonly args: JsonObject;
  /** RFC 8785 text of `args`. */
  readonly canonicalArgs: string;
  readonly chain: readonly Hop[];
  /** The consent it waits for, once it is parked. */
  readonly consentId?: string;
  /** Signatures that came with a resume and were refused. */
  readonly refusedResumes: number;
}
