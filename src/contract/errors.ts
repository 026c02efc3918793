/**
 * The closed table of refusals. A code says *what* was refused; the layer says *who* refused.
 * Public text never carries a token, a key, arguments or a stack: those go to the record of the domain that refused.
 * HTTP errors are RFC 9457 problem documents ({@link problemOf}).
 */

/** Who refused. `client` is the MCP/A2A client itself (it declined or cancelled the elicitation). */
export type Layer = 'client' | 'bridge' | 'dispatcher' | 'consent-ui' | 'vault' | 'rs';

interface Entry {
  /** HTTP status of the problem document. */
  readonly status: number;
  /** One sentence for people, safe to show to anyone: says what to do next. */
  readonly sentence: string;
}

export const REFUSALS = {
  // Shape and size
  MalformedJson: {
    status: 400,
    sentence: 'The body is not acceptable JSON. Correct the member at the given path.',
  },
  MalformedRequest: {
    status: 400,
    sentence:
      'The request does not have the documented shape. Correct the member at the given path.',
  },
  MalformedPayload: {
    status: 400,
    sentence:
      'The payload cannot be signed as it is. Correct the member at the given path; send large or fractional numbers as strings in form 1.',
  },
  MalformedCredential: {
    status: 400,
    sentence: 'The credential is not one this resource server accepts.',
  },
  PayloadTooLarge: {
    status: 413,
    sentence:
      'The request is larger than allowed: 256 KiB for a body, 64 KiB for canonical arguments.',
  },
  NotFound: { status: 404, sentence: 'There is nothing here by that name for you.' },
  // Who calls
  Unauthenticated: {
    status: 401,
    sentence: 'Authenticate first: the token or client assertion is missing, unknown or expired.',
  },
  Unauthorized: {
    status: 403,
    sentence: 'The caller lacks a scope this tool requires. Ask for a token with that scope.',
  },
  WrongClient: { status: 403, sentence: 'The approval belongs to another client.' },
  Forbidden: { status: 403, sentence: 'This is not yours to do.' },
  CrossOrigin: { status: 403, sentence: 'The request did not come from the consent page itself.' },
  // The human
  ApprovalRequired: { status: 403, sentence: 'A person must approve this exact call first.' },
  Declined: {
    status: 403,
    sentence: 'The approver declined this call. Do not repeat it unless the person asks for it.',
  },
  Cancelled: { status: 410, sentence: 'The request for approval was withdrawn.' },
  ConsentExpired: { status: 410, sentence: 'The time to approve ran out. Call again to ask anew.' },
  AlreadyDecided: {
    status: 409,
    sentence: 'This request for approval already has its final answer.',
  },
  ConsentConflict: { status: 409, sentence: 'A different proposal already uses this consent id.' },
  // The signature
  SignatureMismatch: {
    status: 403,
    sentence: 'The signature does not cover these bytes with an enrolled key of this approver.',
  },
  SignatureReplay: {
    status: 409,
    sentence: 'This signature has already been used. A new approval is needed.',
  },
  PayloadDriftAtMint: {
    status: 403,
    sentence:
      'The signed payload is outside what may be minted (form, audience, type or lifetime).',
  },
  PolicyDenied: {
    status: 403,
    sentence: 'Policy does not let this approver approve this command.',
  },
  UnknownApprover: {
    status: 403,
    sentence: 'No active key of this approver is enrolled here. Enrol or trust the key first.',
  },
  AuthenticatorCloned: {
    status: 403,
    sentence: 'The authenticator counter went back. The key may be copied; revoke it.',
  },
  // The credential
  CredentialDrift: {
    status: 403,
    sentence: 'The call differs from what was approved. A new approval is needed.',
  },
  CredentialReplay: { status: 409, sentence: 'This credential has already been used.' },
  CredentialExpired: {
    status: 403,
    sentence: 'The approval has expired. A new approval is needed.',
  },
  UnknownIssuer: {
    status: 403,
    sentence: 'The credential comes from an issuer or key this resource server does not know.',
  },
  // Between agents
  UntrustedAgent: {
    status: 403,
    sentence:
      'An agent on the way is not one this agent knows by key. Ask the operator to trust it.',
  },
  HopMismatch: {
    status: 403,
    sentence: 'What an agent on the way passed on is not what was said. Nothing was asked or run.',
  },
  WrongAudience: { status: 403, sentence: 'The approval is meant for another resource server.' },
  // The operator's policy and the tools it was written for
  ToolDenied: { status: 403, sentence: "The operator's policy denies this." },
  DefinitionChanged: {
    status: 409,
    sentence:
      'The tool is no longer what the operator accepted. Ask the operator to look at `bridge tools diff`.',
  },
  // Running
  UnknownTool: { status: 404, sentence: 'No such tool. List the tools to see what there is.' },
  ExecutionIndeterminate: {
    status: 500,
    sentence:
      'The action was started but its outcome is unknown. It will not be run again; check the system it acts on.',
  },
  ToolFailed: { status: 422, sentence: 'The tool ran and reported an error.' },
  // Enrolment and sign-in
  InviteInvalid: {
    status: 403,
    sentence: 'This invitation is unknown, used or expired. Ask the operator for a new one.',
  },
  CeremonyFailed: { status: 400, sentence: 'The sign-in or enrolment did not verify. Try again.' },
  // Load and failure
  RateLimited: { status: 429, sentence: 'Too many requests. Wait and try again.' },
  TooManyConsents: {
    status: 429,
    sentence: 'Too many approvals are pending for this caller. Wait until some are answered.',
  },
  Unavailable: {
    status: 503,
    sentence: 'A part of the system cannot be reached. Nothing was lost; call again.',
  },
  Internal: { status: 500, sentence: 'Something failed inside. The details are in the record.' },
} as const satisfies Record<string, Entry>;

export type RefusalCode = keyof typeof REFUSALS;

export interface RefusalContext {
  /** Where in the input, in the notation `args.items[3].name`; shown to the sender. */
  readonly path?: string;
  /** For the record of the refusing domain only; never sent. */
  readonly detail?: string;
  /** Scopes the caller lacks (`Unauthorized` only); shown to the sender. */
  readonly missingScopes?: readonly string[];
}

/** The one error class that crosses layers. Its `message` is the public sentence of its code. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly path: string | undefined;
  readonly detail: string | undefined;
  readonly missingScopes: readonly string[] | undefined;
  constructor(
    readonly code: RefusalCode,
    readonly layer: Layer,
    context: RefusalContext = {},
  ) {
    super(REFUSALS[code].sentence);
    this.path = context.path;
    this.detail = context.detail;
    this.missingScopes = context.missingScopes;
  }
}

/** RFC 9457 problem document. `type` is a URN naming the code; `code` and `layer` are extension members. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: RefusalCode;
  readonly layer: Layer;
  readonly path?: string;
  readonly missing_scopes?: readonly string[];
}

export function problemOf(refusal: Refusal): Problem {
  return {
    type: `urn:consent-bridge:problem:${refusal.code}`,
    title: refusal.message,
    status: REFUSALS[refusal.code].status,
    code: refusal.code,
    layer: refusal.layer,
    ...(refusal.path === undefined ? {} : { path: refusal.path }),
    ...(refusal.missingScopes === undefined ? {} : { missing_scopes: refusal.missingScopes }),
  };
}

export function isRefusalCode(code: unknown): code is RefusalCode {
  return typeof code === 'string' && Object.hasOwn(REFUSALS, code);
}
