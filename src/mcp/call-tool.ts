import {
  type CallToolRequest,
  type CallToolResult,
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
import { deepFreeze, isJsonObject } from '../contract/json.js';
import { elicitationMeta, elicitationOf } from '../a2a/translation/elicitation.js';
import type { Dispatching } from '../dispatcher/dispatch.js';
import { type ApprovalRequired, type Outcome, refusedBy } from '../dispatcher/outcome.js';
import type { ToolCall } from '../dispatcher/proposal.js';
import type { Connection } from './connection.js';
import { onceDelivered } from './deliveries.js';
import { reportProgress } from './progress.js';
import { type CallState, type CallStateCodec, callDigest } from './request-state.js';
import { toolResult } from './tool-result.js';

export interface CallToolPorts {
  readonly dispatcher: Dispatching;
  readonly codec: CallStateCodec | undefined;
  /** What a client without URL mode gets: a result to act on, a held call, or a refusal. */
  readonly fallback: 'result' | 'hold' | 'refuse';
  /** How long a 2026-07-28 retry waits for the person, seconds. */
  readonly waitSeconds: number;
  /** How long an approval can take at most, seconds; how long `hold` holds. */
  readonly ttlSeconds: number;
  /** Aborted when the process is to end: nobody waits for a person any longer. */
  readonly stopping: AbortSignal;
}

/** Key of the one input a gated call asks of a 2026-07-28 client. */
const APPROVAL = 'approval';

/** `tools/call` for both eras: the same dispatcher, and for a gated call the answer this client can use. */
export async function callTool(
  request: CallToolRequest,
  ctx: ServerContext,
  connection: Connection,
  ports: CallToolPorts,
): Promise<CallToolResult | InputRequiredResult> {
  const args = request.params.arguments ?? {};
  let call: ToolCall;
  try {
    if (!isJsonObject(args)) throw invalidParams('arguments must be an object');
    const canonicalArgs = canonicalJson(args, 2, 'dispatcher');
    if (Buffer.byteLength(canonicalArgs) > MAX_CANONICAL_BYTES)
      throw new Refusal('PayloadTooLarge', 'dispatcher');
    const caller = connection.caller(ctx);
    const { name } = connection.peer(ctx);
    call = {
      ...{ caller, tool: request.params.name, args: deepFreeze(args), canonicalArgs },
      ...(name === undefined ? {} : { clientName: name }),
    };
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return toolResult(refusedBy(error));
  }
  const state = stateOf(call, ctx);
  if (state !== undefined) call = { ...call, consentId: state.consent };

  const outcome = await outcomeOf(call, state, ctx, connection, ports);
  if (outcome.kind === 'ApprovalRequired') return askFor(outcome, call, ctx, connection, ports);
  if (outcome.kind === 'Refused' && outcome.code === 'UnknownTool')
    throw invalidParams(REFUSALS.UnknownTool.sentence);
  if (!ctx.mcpReq.signal.aborted) acknowledgeOnceDelivered(outcome, ctx, ports);
  return toolResult(outcome);
}

/** A result counts as told when it has left, so that one lost in a crash is told again and nobody is asked twice. */
function acknowledgeOnceDelivered(
  outcome: Outcome,
  ctx: ServerContext,
  { dispatcher }: CallToolPorts,
): void {
  onceDelivered(ctx.http?.authInfo, () => {
    try {
      dispatcher.acknowledge(outcome);
    } catch (error) {
      // The disk is full, say: then it is told once more.
      process.stderr.write(`bridge: ${String(error)}\n`);
    }
  });
}

async function outcomeOf(
  call: ToolCall,
  state: CallState | undefined,
  ctx: ServerContext,
  connection: Connection,
  ports: CallToolPorts,
): Promise<Outcome> {
  if (state !== undefined) {
    const answer = inputResponse(ctx.mcpReq.inputResponses, APPROVAL);
    if (answer.kind === 'elicit' && answer.action !== 'accept') {
      return ports.dispatcher.declinedByClient(call, state.consent);
    }
  }
  const cannotOpenLinks = connection.peer(ctx).elicitation === 'none';
  const holds = cannotOpenLinks && ports.fallback === 'hold';
  const mayAsk = !(cannotOpenLinks && ports.fallback === 'refuse');
  const waitSeconds = holds ? ports.ttlSeconds : state === undefined ? 0 : ports.waitSeconds;
  if (waitSeconds === 0) return ports.dispatcher.dispatch(call, { mayAsk, waitSeconds });
  const stopReporting = reportProgress(ctx, waitSeconds);
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort();
  const reasons = [ctx.mcpReq.signal, ports.stopping];
  for (const reason of reasons) reason.addEventListener('abort', giveUp);
  if (reasons.some((reason) => reason.aborted)) giveUp();
  try {
    return await ports.dispatcher.dispatch(call, { mayAsk, waitSeconds, signal: waiting.signal });
  } finally {
    for (const reason of reasons) reason.removeEventListener('abort', giveUp);
    stopReporting();
  }
}

async function askFor(
  required: ApprovalRequired,
  call: ToolCall,
  ctx: ServerContext,
  connection: Connection,
  ports: CallToolPorts,
): Promise<CallToolResult | InputRequiredResult> {
  const { consentId, url, ask } = required;
  const message = displayText(required.message);
  if (connection.peer(ctx).elicitation === 'none') return toolResult(required);
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
  if (ports.codec === undefined) throw new Error('a consent without a gate');
  return inputRequired({
    inputRequests: {
      [APPROVAL]: inputRequired.elicitUrl({
        message,
        url,
        ...(ask === undefined ? {} : { _meta: elicitationMeta(ask) }),
      }),
    },
    requestState: await ports.codec.mint(
      { consent: consentId, call: callDigest(call.tool, call.canonicalArgs) },
      ctx,
    ),
  });
}

/** The verified state of an earlier round. It must belong to this very call, or the call does not reach the dispatcher. */
function stateOf(call: ToolCall, ctx: ServerContext): CallState | undefined {
  if ((ctx.mcpReq.droppedInputResponseKeys?.length ?? 0) > 0)
    throw invalidParams('Malformed inputResponses');
  const state = ctx.mcpReq.requestState<CallState | undefined>();
  if (state !== undefined && state.call !== callDigest(call.tool, call.canonicalArgs)) {
    throw invalidParams('Invalid or expired requestState');
  }
  return state;
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
