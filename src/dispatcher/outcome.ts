import type { Layer, RefusalCode } from '../contract/errors.js';
import type { Ask } from '../a2a/translation/ask.js';
import type { RpcError } from '../contract/wire.js';
import { Refusal } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type { Form2Payload } from '../contract/payload.js';

/** What a call comes to. The kinds are distinct so that no refusal can be mistaken for another. */
export type Outcome = Success | Failed | Unauthorized | ApprovalRequired | Declined | Refused;

/** The tool ran. */
export interface Success {
  readonly kind: 'Success';
  readonly result: JsonObject;
  /** Set when the result is an MCP result of this upstream server. */
  readonly upstream?: string;
  readonly consentId?: string;
}

/** The tool ran and reported an error of its own. */
export interface Failed {
  readonly kind: 'Failed';
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly rpc?: RpcError | undefined;
  };
  /** What an upstream tool answered with `isError`. */
  readonly result?: JsonObject;
  readonly upstream?: string;
  readonly consentId?: string;
}

/** The caller lacks a scope; no human was asked. */
export interface Unauthorized {
  readonly kind: 'Unauthorized';
  readonly tool: string;
  readonly missingScopes: readonly string[];
  readonly layer: Layer;
}

/** A human must sign first. Repeating the identical call continues. */
export interface ApprovalRequired {
  readonly kind: 'ApprovalRequired';
  readonly consentId: string;
  /** Where the approver reads and signs. The URL itself grants nothing. */
  readonly url: string;
  /** What the approver will read first. Part of the signed bytes. */
  readonly message: string;
  /** POSIX seconds; the signed deadline. */
  readonly exp: number;
  /** What the approver signs, where this bridge asks itself. */
  readonly payload?: Form2Payload;
  /** What a remote agent asks, exactly as it came. */
  readonly ask?: Ask;
}

/** Somebody said no: the approver on the consent page, or the client before anybody was asked. */
export interface Declined {
  readonly kind: 'Declined';
  readonly by: 'approver' | 'client';
  readonly consentId: string;
  /** The approver's own words. Untrusted text. */
  readonly reason?: string;
}

/** A layer refused, or the outcome of a started action is unknown (`ExecutionIndeterminate`). */
export interface Refused {
  readonly kind: 'Refused';
  readonly code: RefusalCode;
  readonly layer: Layer;
  readonly path?: string;
  readonly consentId?: string;
}

/** A refusal as an outcome; anything that is not a {@link Refusal} is rethrown. */
export function refusedBy(error: unknown, consentId?: string): Refused {
  if (!(error instanceof Refusal)) throw error;
  return {
    kind: 'Refused',
    code: error.code,
    layer: error.layer,
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(consentId === undefined ? {} : { consentId }),
  };
}
