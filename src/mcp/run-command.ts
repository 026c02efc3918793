import {
  type InputRequest,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  UrlElicitationRequiredError,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { canonicalJson } from '../contract/canonical.js';
import { displayText } from '../contract/display.js';
import { REFUSALS, Refusal } from '../contract/errors.js';
import { MAX_CANONICAL_BYTES } from '../contract/json-check.js';
import type { JsonObject } from '../contract/json.js';
import { deepFreeze, isJsonObject } from '../contract/json.js';
import { elicitationMeta, elicitationOf } from '../a2a/translation/elicitation.js';
import type { Dispatching } from '../dispatcher/dispatch.js';
import type { Ask } from '../dispatcher/exchange.js';
import { type ApprovalRequired, type Outcome, refusedBy } from '../dispatcher/outcome.js';
import type { ToolCall } from '../dispatcher/proposal.js';
import type { Connection } from './connection.js';
import { APPROVAL, Conversation, type Questions } from './conversation.js';
import { onceDelivered } from './deliveries.js';
import type { ParkedRuns } from './parked-runs.js';
import { type CallState, type CallStateCodec, callDigest } from './request-state.js';
import { urlElicitations } from './url-elicitations.js';

export interface CommandPorts {
  readonly dispatcher: Dispatching;
  readonly codec: CallStateCodec;
  readonly parked: ParkedRuns;
  /** What a client without URL mode gets: a result to act on, a held call, or a refusal. */
  readonly fallback: 'result' | 'hold' | 'refuse';
  /** How long a 2026-07-28 retry waits for the person, seconds. */
  readonly waitSeconds: number;
  /** How long an approval can take at most, seconds; how long `hold` holds. */
  readonly ttlSeconds: number;
  /** Aborted when the process is to end: nobody waits for a person any longer. */
  readonly stopping: AbortSignal;
}

/** One command with its arguments, as a client asks for it by whatever MCP method. */
export interface CommandRequest {
  readonly command: string;
  readonly args: unknown;
  /** The policy's own word on clients without URL mode. */
  readonly fallback?: CommandPorts['fallback'] | undefined;
}

/** What the request is answered with: how the command ended, or what the client must see to first. */
export type Answer = { readonly outcome: Outcome } | { readonly input: InputRequiredResult };

/**
 * Runs a command for an MCP client of either era: the same dispatcher, and on the way whatever this client can use to
 * get a person's approval or to answer what an upstream asks.
 * @returns the outcome, `ApprovalRequired` only for a client that cannot open links; or what the client must answer first
 * @throws ProtocolError for what is not a call at all; UrlElicitationRequiredError (2025-era) when a person must sign
 */
export async function runCommand(
  request: CommandRequest,
  ctx: ServerContext,
  connection: Connection,
  ports: CommandPorts,
): Promise<Answer> {
  let call: ToolCall;
  try {
    call = callOf(request, ctx, connection);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return { outcome: refusedBy(error) };
  }
  const state = stateOf(call, ctx);
  if (state?.consent !== undefined) call = { ...call, consentId: state.consent };
  if (state?.consent !== undefined && declines(ctx))
    return tell(await ports.dispatcher.declinedByClient(call, state.consent), ctx, ports);

  const conversation = conversationOf(call, request, state, ctx, connection, ports);
  const next = await heard(conversation, ctx, ports);
  if (!('kind' in next)) return askClient(next, conversation, call, ctx, ports);
  if (next.kind === 'ApprovalRequired') return askPerson(next, call, ctx, connection, ports);
  if (next.kind === 'Refused' && next.code === 'UnknownTool')
    throw invalidParams(REFUSALS.UnknownTool.sentence);
  const links = connection.era === 'modern' ? urlElicitations(next) : undefined;
  if (links !== undefined) return askToOpen(links, call, ctx, ports);
  return tell(next, ctx, ports);
}

function callOf(
  { command, args }: CommandRequest,
  ctx: ServerContext,
  connection: Connection,
): ToolCall {
  if (!isJsonObject(args)) throw invalidParams('arguments must be an object');
  const canonicalArgs = canonicalJson(args, 2, 'dispatcher');
  if (Buffer.byteLength(canonicalArgs) > MAX_CANONICAL_BYTES)
    throw new Refusal('PayloadTooLarge', 'dispatcher');
  const { name } = connection.peer(ctx);
  const lane = connection.lane(ctx);
  const { progressToken, ...meta } = (ctx.mcpReq._meta ?? {}) as JsonObject;
  return {
    caller: connection.caller(ctx),
    tool: command,
    args: deepFreeze(args),
    canonicalArgs,
    ...(name === undefined ? {} : { clientName: name }),
    ...(lane === undefined ? {} : { lane }),
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
    ...(progressToken === undefined ? {} : { progress: true }),
  };
}

/** The run this request goes on with, or a new one. */
function conversationOf(
  call: ToolCall,
  request: CommandRequest,
  state: CallState | undefined,
  ctx: ServerContext,
  connection: Connection,
  ports: CommandPorts,
): Conversation {
  const parked = state?.run === undefined ? undefined : ports.parked.take(state.run);
  if (parked !== undefined) {
    parked.resume(ctx, answersOf(ctx));
    return parked;
  }
  // Of a run that is gone with an earlier process, nobody knows what it asked.
  if (state?.run !== undefined && state.consent === undefined) throw invalidState();
  const conversation = new Conversation(ctx, connection.push, answersOf(ctx));
  const canOpenLinks = connection.peer(ctx).elicitation === 'url';
  const fallback = request.fallback ?? ports.fallback;
  const mayAsk = canOpenLinks || fallback !== 'refuse';
  const waitSeconds =
    !canOpenLinks && fallback === 'hold'
      ? ports.ttlSeconds
      : state === undefined
        ? 0
        : ports.waitSeconds;
  conversation.start(async ({ progress, signal }) => {
    const stop = waitSeconds === 0 ? undefined : progress.whileWaiting(ctx, waitSeconds);
    const exchange = {
      notify: (...said: Parameters<Conversation['notify']>) => {
        stop?.();
        conversation.notify(...said);
      },
      ask: (ask: Ask) => conversation.ask(ask),
    };
    try {
      const stillMay = (): void => void connection.caller(ctx);
      const patience = { mayAsk, waitSeconds, signal, stillMay };
      return await ports.dispatcher.dispatch(call, patience, exchange);
    } finally {
      stop?.();
    }
  });
  return conversation;
}

/** Waits for the next thing, for as long as the client and the process do. */
async function heard(
  conversation: Conversation,
  ctx: ServerContext,
  { stopping }: CommandPorts,
): Promise<Outcome | Questions> {
  const reasons = [ctx.mcpReq.signal, stopping];
  const end = (): void => conversation.end();
  for (const reason of reasons) reason.addEventListener('abort', end);
  if (reasons.some(({ aborted }) => aborted)) end();
  try {
    return await conversation.next();
  } finally {
    for (const reason of reasons) reason.removeEventListener('abort', end);
  }
}

/** What an upstream asks a 2026-07-28 client; the run waits for the client's next request. */
async function askClient(
  asks: Questions,
  conversation: Conversation,
  call: ToolCall,
  ctx: ServerContext,
  { codec, parked }: CommandPorts,
): Promise<Answer> {
  const run = parked.park(conversation);
  const consent = call.consentId === undefined ? {} : { consent: call.consentId };
  const inputRequests = Object.fromEntries(
    [...asks].map(([key, { method, params }]) => [
      key,
      { method, params } as unknown as InputRequest,
    ]),
  );
  const requestState = await codec.mint({ ...consent, run, call: digestOf(call) }, ctx);
  return { input: inputRequired({ inputRequests, requestState }) };
}

async function askPerson(
  required: ApprovalRequired,
  call: ToolCall,
  ctx: ServerContext,
  connection: Connection,
  { codec }: CommandPorts,
): Promise<Answer> {
  const { consentId, url, ask } = required;
  const message = displayText(required.message);
  if (connection.peer(ctx).elicitation === 'none') return { outcome: required };
  if (connection.era === 'legacy') {
    connection.announceWhenDecided(required);
    throw new UrlElicitationRequiredError(
      [
        ask === undefined
          ? { mode: 'url', message, url, elicitationId: consentId }
          : elicitationOf(ask, consentId),
      ],
      message,
    );
  }
  const input = inputRequired({
    inputRequests: {
      [APPROVAL]: inputRequired.elicitUrl({
        message,
        url,
        ...(ask === undefined ? {} : { _meta: elicitationMeta(ask) }),
      }),
    },
    requestState: await codec.mint({ consent: consentId, call: digestOf(call) }, ctx),
  });
  return { input };
}

/** A 2025-era upstream wants links opened first, with an error that 2026-07-28 does not have: the retry calls it again. */
async function askToOpen(
  links: readonly { readonly message: string; readonly url: string }[],
  call: ToolCall,
  ctx: ServerContext,
  { codec }: CommandPorts,
): Promise<Answer> {
  const inputRequests = Object.fromEntries(
    links.map((link, index) => [`link-${index}`, inputRequired.elicitUrl(link)]),
  );
  const requestState = await codec.mint({ call: digestOf(call) }, ctx);
  return { input: inputRequired({ inputRequests, requestState }) };
}

/** A result counts as told when it has left, so that one lost in a crash is told again and nobody is asked twice. */
function tell(outcome: Outcome, ctx: ServerContext, { dispatcher }: CommandPorts): Answer {
  if (ctx.mcpReq.signal.aborted) return { outcome };
  onceDelivered(ctx.http?.authInfo, () => {
    try {
      dispatcher.acknowledge(outcome);
    } catch (error) {
      // The disk is full, say: then it is told once more.
      process.stderr.write(`bridge: ${String(error)}\n`);
    }
  });
  return { outcome };
}

/** The verified state of an earlier round. It must belong to this very call, or the call does not reach the dispatcher. */
function stateOf(call: ToolCall, ctx: ServerContext): CallState | undefined {
  if ((ctx.mcpReq.droppedInputResponseKeys?.length ?? 0) > 0)
    throw invalidParams('Malformed inputResponses');
  const state = ctx.mcpReq.requestState<CallState | undefined>();
  if (state !== undefined && state.call !== digestOf(call)) throw invalidState();
  return state;
}

function declines(ctx: ServerContext): boolean {
  const answer = inputResponse(ctx.mcpReq.inputResponses, APPROVAL);
  return answer.kind === 'elicit' && answer.action !== 'accept';
}

function answersOf(ctx: ServerContext): Readonly<Record<string, JsonObject>> {
  const given = Object.entries(ctx.mcpReq.inputResponses ?? {});
  return Object.fromEntries(
    given.flatMap(([id, answer]) => (isJsonObject(answer) ? [[id, answer]] : [])),
  );
}

function digestOf({ tool, canonicalArgs }: ToolCall): string {
  return callDigest(tool, canonicalArgs);
}

function invalidState(): ProtocolError {
  return invalidParams('Invalid or expired requestState');
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
