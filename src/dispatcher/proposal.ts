import { canonicalBytes } from '../contract/canonical.js';
import type { JsonObject } from '../contract/json.js';
import { deepFreeze } from '../contract/json.js';
import type { Form2Payload, SignedPayload } from '../contract/payload.js';
import type { Caller, Lane, Proposal } from '../contract/wire.js';
import { bindingMessage } from './binding-message.js';
import type { ToolPolicy } from './policy.js';

/** One call of one tool by an authenticated caller. `args` is frozen at every level from the moment it arrives. */
export interface ToolCall {
  readonly caller: Caller;
  readonly tool: string;
  readonly args: JsonObject;
  /** RFC 8785 text of `args`. */
  readonly canonicalArgs: string;
  /** Name the client gave itself; shown as a claim, never trusted. */
  readonly clientName?: string;
  /** The consent a repeat refers to, from a sealed `requestState`. */
  readonly consentId?: string;
  /** The agents this call came through, first one first. Part of what makes two calls the same. */
  readonly chain?: readonly Hop[];
  /** The client's connections to upstream servers; absent for one that an upstream cannot ask anything. */
  readonly lane?: Lane;
  /** The request's own `_meta`, without what this hop consumed. Reaches the upstream of an open command only. */
  readonly meta?: JsonObject;
  /** Whether the client wants to hear of progress. */
  readonly progress?: boolean;
  /** A signature that reached the caller by another way than the consent page. */
  readonly signed?: SignedPayload;
}

/** One agent on the way of a call, and its signed statement that it passed the call on, where it made one. */
export interface Hop {
  readonly agent: string;
  /** Compact JWS (src/a2a/signing/hop-link.ts). */
  readonly link?: string;
}

export interface ProposalTerms {
  readonly rarType: string;
  /** Identifier of the resource server that will run it. */
  readonly audience: string;
  /** How long the approver has, seconds. */
  readonly ttlSeconds: number;
}

/**
 * The frozen proposed action a human is asked to sign.
 * @throws Refusal `MalformedPayload` or `PayloadTooLarge` when it has no canonical bytes.
 */
export function propose(
  call: ToolCall,
  consentId: string,
  policy: ToolPolicy,
  tool: Proposal['tool'],
  terms: ProposalTerms,
  now: number,
): Proposal {
  const { caller } = call;
  const payload: Form2Payload = {
    v: 2,
    cmd: call.tool,
    args: call.args,
    rar_type: terms.rarType,
    exp: now + (policy.ttl_seconds ?? terms.ttlSeconds),
    approver_id: policy.approver ?? caller.subject,
    binding_message: bindingMessage(policy.binding_message, call.tool, call.args) + via(call.chain),
    aud: terms.audience,
    client_id: caller.client_id,
    nonce: consentId,
  };
  canonicalBytes(payload, 'dispatcher');
  deepFreeze(payload);
  return {
    payload,
    requested_by: {
      subject: caller.subject,
      client_id: caller.client_id,
      ...(call.clientName === undefined ? {} : { client_name: call.clientName }),
    },
    tool,
  };
}

/** The chain is part of the sentence, so that the signature covers it as the approver read it. */
function via(chain: readonly Hop[] | undefined): string {
  return chain === undefined
    ? ''
    : ` (asked through ${chain.map(({ agent }) => agent).join(' → ')})`;
}
