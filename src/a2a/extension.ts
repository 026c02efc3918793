/**
 * The A2A extension this package speaks: a task that waits for a person says so in a data part of its status message.
 * Described for other implementers in src/a2a/EXTENSION.md; the JSON Schema there is made from these schemas.
 */
import * as z from 'zod';
import { jsonObject, posixSeconds } from '../contract/payload.js';

/** Names the extension in an agent card and in the `A2A-Extensions` header. A name, not an address. */
export const EXTENSION_URI = 'urn:consent-bridge:a2a-extension:consent:v1';

/** Name of an agent in chains; the client its approvals are bound to. */
export const agentId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -');

/** Longest chain of agents. */
export const MAX_HOPS = 8;

const jws = z.string().min(1).max(4096);
/** A JSON text inside a string: {@link askPart} says why. */
const jsonText = z.string().min(2).max(200_000);

/** user -> agent: run this tool. Starts a task. */
export const callPart = z.strictObject({
  kind: z.literal('call'),
  tool: z.string().min(1).max(256),
  args: jsonObject,
  /** One signed statement for each agent the call came through, the first one first. */
  chain: z.array(jws).max(MAX_HOPS).optional(),
});

/**
 * agent -> user, in `TASK_STATE_AUTH_REQUIRED`: a person must sign this. `authorization_details` (RFC 9396) is a JSON
 * text, as in an OAuth request: a data part is a `google.protobuf.Value`, whose objects have no member order and whose
 * numbers are doubles, so a hop that is not JavaScript could change what the bytes are.
 */
export const askPart = z.strictObject({
  kind: z.literal('ask'),
  /** The agent that will act; the approval is bound to it. */
  agent: agentId,
  authorization_details: jsonText,
  binding_message: z.string().max(100_000),
  exp: posixSeconds,
  approver_id: z.string().min(1).max(256),
  /** Identifier of the resource server that will act. */
  resource: z.string().min(1).max(2048),
  /** The `nonce` of the payload to sign. */
  consent_id: z.string().min(1).max(256),
  /** Where the approver reads and signs. */
  consent_url: z.string().min(1).max(2048),
  /** The agents the call came through, the first one first, each with the SHA-256 of its statement where it made one. */
  chain: z
    .array(
      z.strictObject({ agent: z.string().min(1).max(256), link: z.string().length(43).optional() }),
    )
    // The client that asked the first agent comes before it.
    .max(MAX_HOPS + 1),
  /** Detached JWS (RFC 7515 appendix F) by `agent` over the RFC 8785 text of all other members. */
  signature: jws,
});

/** user -> agent, on a parked task: go on. */
export const resumePart = z.discriminatedUnion('action', [
  /** The person signed on the page, or the asker only wants to know how things stand. */
  z.strictObject({ kind: z.literal('resume'), action: z.literal('continue') }),
  /** The signature came to the asker: JSON text of the payload and the signature. */
  z.strictObject({
    kind: z.literal('resume'),
    action: z.literal('signed'),
    signed_payload: jsonText,
  }),
  /** The asker refuses on its person's behalf. */
  z.strictObject({ kind: z.literal('resume'), action: z.literal('decline') }),
]);

/** agent -> user: what the call came to, or (beside an ask) why the last resume was refused. */
export const outcomePart = z.discriminatedUnion('status', [
  z.strictObject({ kind: z.literal('outcome'), status: z.literal('success'), result: jsonObject }),
  z.strictObject({
    kind: z.literal('outcome'),
    status: z.literal('failed'),
    error: z.strictObject({ code: z.string().max(256), message: z.string().max(100_000) }),
  }),
  z.strictObject({
    kind: z.literal('outcome'),
    status: z.literal('unauthorized'),
    tool: z.string().max(256),
    missing_scopes: z.array(z.string().max(128)).max(64),
    layer: z.string().max(64),
  }),
  z.strictObject({
    kind: z.literal('outcome'),
    status: z.literal('declined'),
    by: z.enum(['approver', 'client']),
    reason: z.string().max(2000).optional(),
  }),
  z.strictObject({
    kind: z.literal('outcome'),
    status: z.literal('refused'),
    code: z.string().max(64),
    layer: z.string().max(64),
    path: z.string().max(1024).optional(),
  }),
]);

/** Any data part of the extension. */
export const extensionPart = z.union([callPart, askPart, resumePart, outcomePart]);

export type AskPart = z.infer<typeof askPart>;
export type OutcomePart = z.infer<typeof outcomePart>;
