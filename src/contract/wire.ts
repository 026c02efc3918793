/** Bodies of the HTTP calls between the four domains. Times are POSIX seconds unless a name ends in `_ms`. */
import * as z from 'zod';
import {
  base64url,
  form2Payload,
  jsonObject,
  jsonValue,
  keyId,
  posixSeconds,
  signatureScheme,
  signedPayload,
} from './payload.js';

/** RFC 8693 identifiers used at the vault's token endpoint. */
export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const SIGNED_PAYLOAD_TOKEN_TYPE = 'urn:consent-bridge:token-type:signed-payload';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
/** RFC 7523 section 2.2. */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** JOSE `typ` of the assertion one service sends another, and of the one a terminal approver sends the consent page. */
export const CLIENT_ASSERTION_TYP = 'client-authentication+jwt';
export const APPROVER_ASSERTION_TYP = 'approver-authentication+jwt';
/** `typ` of a credential (RFC 9068). */
export const CREDENTIAL_TYP = 'at+jwt';

/** Bytes; larger bodies are refused with PayloadTooLarge. */
export const MAX_BODY_BYTES = 262_144;

/** The authenticated MCP or A2A client, as the bridge states it. */
export const caller = z.strictObject({
  subject: z.string().min(1).max(256),
  client_id: z.string().min(1).max(256),
  scopes: z.array(z.string().min(1).max(128)).max(64),
});
export type Caller = z.infer<typeof caller>;

/** bridge -> consent-ui, PUT /v1/consents/{id}: one proposed action. `payload.nonce` is the id. */
export const proposal = z.strictObject({
  payload: form2Payload,
  /** Who asks, as shown to the approver; a name the client gave itself is a claim and is shown as one. */
  requested_by: z.strictObject({
    subject: z.string().min(1).max(256),
    client_id: z.string().min(1).max(256),
    client_name: z.string().max(256).optional(),
  }),
  /** The tool's own description and title, for the approver to read. */
  tool: z.strictObject({
    title: z.string().max(256).optional(),
    description: z.string().max(100_000).optional(),
    /** The definition the operator accepted; see {@link toolDefinition}. */
    digest: z.string().max(64).optional(),
    input_schema: jsonObject.optional(),
    annotations: z.record(z.string(), jsonValue).optional(),
  }),
});
export type Proposal = z.infer<typeof proposal>;

export const decisionStatus = z.enum(['pending', 'approved', 'declined', 'expired', 'cancelled']);
export type DecisionStatus = z.infer<typeof decisionStatus>;

/** consent-ui -> bridge, GET /v1/consents/{id}?wait=SECONDS and the answers to PUT and cancel. */
export const decision = z.strictObject({
  id: z.string(),
  status: decisionStatus,
  /** When the final status was written. Absent while pending. */
  decided_at: posixSeconds.optional(),
  /** Present exactly when approved. */
  signed: signedPayload.optional(),
  /** What the approver wrote when declining. Untrusted text. */
  reason: z.string().max(2000).optional(),
});
export type Decision = z.infer<typeof decision>;

/** bridge -> consent-ui, POST /v1/consents/{id}/outcome: what happened after the signature, for the page to show. */
export const outcomeReport = z.strictObject({
  state: z.enum(['minted', 'success', 'failure', 'refused', 'indeterminate']),
  /** Refusal code, for `refused` and `indeterminate`. */
  code: z.string().max(64).optional(),
  at: posixSeconds,
});
export type OutcomeReport = z.infer<typeof outcomeReport>;

/** vault -> bridge: RFC 8693 section 2.2.1 token response. `token_type` is N_A: the token is not a bearer token, it names the one call it is good for. */
export const tokenResponse = z.looseObject({
  access_token: z.string(),
  issued_token_type: z.literal(ACCESS_TOKEN_TYPE),
  token_type: z.literal('N_A'),
  expires_in: z.number().int(),
  jti: z.string(),
  exp: posixSeconds,
  approver_id: z.string(),
  command: z.string(),
});

/** The connections of one client to the upstream servers: nobody else's traffic is on them. */
export const lane = z.strictObject({
  id: z.string().min(1).max(256),
  client: z.strictObject({ name: z.string().max(256), version: z.string().max(256) }).optional(),
  /** What an upstream may ask of this client (MCP client capabilities): sampling, elicitation, roots. */
  capabilities: jsonObject,
  /** The level the client set with `logging/setLevel`. */
  log_level: z.string().max(32).optional(),
});
export type Lane = z.infer<typeof lane>;

/** bridge -> rs, POST /v1/execute. `credential` and `signed` travel together, and are absent for a command the rs has open. */
export const executeRequest = z.strictObject({
  command: z.string().min(1).max(256),
  args: jsonObject,
  caller,
  credential: z.string().max(MAX_BODY_BYTES).optional(),
  signed: signedPayload.optional(),
  /** Absent: the lane of this subject and client id, which can be asked nothing. */
  lane: lane.optional(),
  /** The request's own `_meta`, for the upstream of an open command. A gated one gets none: nobody signed it. */
  meta: jsonObject.optional(),
  /** True if the client wants to hear of progress. */
  progress: z.boolean().optional(),
});
export type ExecuteRequest = z.infer<typeof executeRequest>;

/** A JSON-RPC error as an upstream server answered it. */
export const rpcError = z.strictObject({
  code: z.number().int(),
  message: z.string(),
  data: jsonValue.optional(),
});
export type RpcError = z.infer<typeof rpcError>;

/** rs -> bridge: the tool ran. `failure` is the tool's own error, after which the credential is spent all the same. */
export const executionOutcome = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('success'), jti: z.string().optional(), result: jsonObject }),
  z.strictObject({
    status: z.literal('failure'),
    jti: z.string().optional(),
    error: z.strictObject({ code: z.string(), message: z.string(), rpc: rpcError.optional() }),
    /** What an upstream tool answered with `isError`. */
    result: jsonObject.optional(),
  }),
]);
export type ExecutionOutcome = z.infer<typeof executionOutcome>;

/** rs -> bridge, GET /v1/executions/{jti}. `started` while it runs; `indeterminate` if the rs died in between. */
export const executionState = z.strictObject({
  jti: z.string(),
  state: z.enum(['started', 'success', 'failure', 'indeterminate']),
  outcome: executionOutcome.optional(),
});
export type ExecutionState = z.infer<typeof executionState>;

/** A tool as MCP describes it, under the name of its command. */
export const toolDefinition = z.strictObject({
  name: z.string().min(1).max(256),
  title: z.string().optional(),
  description: z.string().optional(),
  input_schema: jsonObject,
  output_schema: jsonObject.optional(),
  annotations: z.record(z.string(), jsonValue).optional(),
  /** Further members of the definition that clients show or use (`icons`, `_meta`, `execution`). */
  more: jsonObject.optional(),
  /** Base64url SHA-256 of the RFC 8785 text of the definition that the operator accepted. */
  digest: z.string().optional(),
  /** Runs on an upstream MCP server: its results are MCP results. */
  upstream: z.string().optional(),
  /** The upstream describes it differently now; calls are refused until the operator accepts that. */
  blocked: z.boolean().optional(),
});
export type ToolDefinition = z.infer<typeof toolDefinition>;

const offeredBy = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject({ upstream: z.string(), ...shape });

/** rs -> bridge, GET /v1/surface: everything that can be listed, asked or run. */
export const surface = z.strictObject({
  /** Grows when anything here changed. */
  revision: z.number().int(),
  tools: z.array(toolDefinition),
  resources: z.array(offeredBy({ uri: z.string() })),
  resource_templates: z.array(offeredBy({ uriTemplate: z.string() })),
  prompts: z.array(offeredBy({ name: z.string() })),
  upstreams: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(['starting', 'ready', 'down']),
      /** Why it is down, for the operator. */
      detail: z.string().optional(),
      /** What stands before the names of its tools and prompts. */
      prefix: z.string(),
      /** MCP server capabilities. */
      capabilities: jsonObject.optional(),
      instructions: z.string().optional(),
      server: jsonObject.optional(),
    }),
  ),
});
export type Surface = z.infer<typeof surface>;

/** bridge -> rs, POST /v1/relay: a request that runs nothing, for one upstream. */
export const relayRequest = z.strictObject({
  upstream: z.string().min(1).max(64),
  method: z.enum([
    'completion/complete',
    'resources/subscribe',
    'resources/unsubscribe',
    'logging/setLevel',
  ]),
  params: jsonObject,
  caller,
  lane: lane.optional(),
});
export type RelayRequest = z.infer<typeof relayRequest>;

/** bridge -> rs, POST /v1/events: without a lane, the surface's changes only. */
export const eventsRequest = z.strictObject({ caller: caller.optional(), lane: lane.optional() });

/** bridge -> rs, POST /v1/asks/{id}: the client's answer to what an upstream asked. */
export const askAnswer = z.union([
  z.strictObject({ result: jsonObject }),
  z.strictObject({ error: rpcError }),
]);
export type AskAnswer = z.infer<typeof askAnswer>;

const notificationEvent = z.strictObject({
  kind: z.literal('notification'),
  method: z.string(),
  params: jsonObject,
});
const askEvent = z.strictObject({
  kind: z.literal('ask'),
  id: z.string(),
  method: z.enum(['sampling/createMessage', 'elicitation/create', 'roots/list']),
  params: jsonObject,
  /** Of a 2026-07-28 upstream: its own key for this, and how many things it asks together. */
  round: z.strictObject({ key: z.string().max(1024), size: z.number().int().min(1) }).optional(),
});
/** `problem` is an RFC 9457 document; it ends the lines. */
const problemEvent = z.strictObject({ kind: z.literal('problem'), problem: jsonObject });

/** rs -> bridge: one line of the NDJSON answer to execute, relay or events. */
export const runEvent = z.discriminatedUnion('kind', [
  notificationEvent,
  askEvent,
  problemEvent,
  z.strictObject({ kind: z.literal('outcome'), outcome: executionOutcome }),
  z.strictObject({ kind: z.literal('result'), result: jsonObject }),
  z.strictObject({ kind: z.literal('error'), error: rpcError }),
  z.strictObject({ kind: z.literal('surface'), revision: z.number().int() }),
]);
export type RunEvent = z.infer<typeof runEvent>;

/** A public key of an approver, as vault and rs each keep it in a directory of their own. */
export const approverKey = z.strictObject({
  approver_id: z.string().min(1).max(256),
  key_id: keyId,
  scheme: signatureScheme,
  /** EC P-256, OKP Ed25519 or RSA public JWK. Never a private or symmetric key on the wire. */
  public_jwk: jsonObject,
  /** WebAuthn credential id; present for scheme `webauthn` only. */
  credential_id: base64url.optional(),
  label: z.string().max(200),
  created_at: posixSeconds,
});
export type ApproverKey = z.infer<typeof approverKey>;
export const approverKeys = z.strictObject({ keys: z.array(approverKey) });

/** One line of a domain's record, as `bridge record tail --json` prints it. */
export interface RecordEntry {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at_ms: number;
  readonly domain: 'bridge' | 'consent-ui' | 'vault' | 'rs';
  readonly event: string;
  readonly [member: string]: unknown;
}
