/** Requests that run nothing: completions, watching resources, log levels. Nothing else is passed on. */
import * as z from 'zod';
import { Refusal } from '../../src/contract/errors.js';
import type { JsonObject } from '../../src/contract/json.js';
import type { RelayRequest } from '../../src/contract/wire.js';
import type { Sender } from '../actions/actions.js';
import type { CommandTable } from '../config.js';
import { ruleOf } from '../config.js';
import { readAs } from '../read-body.js';
import type { Lanes } from './lanes.js';
import type { Offers } from './offers.js';
import type { Seat } from './seat.js';
import { UpstreamFailure } from './upstream-failure.js';

const watching = z.object({
  params: z.strictObject({ uri: z.string().max(8192), _meta: z.looseObject({}).optional() }),
});
const level = z.object({
  params: z.strictObject({ level: z.string().max(32), _meta: z.looseObject({}).optional() }),
});
const completion = z.object({
  params: z.looseObject({ ref: z.looseObject({ type: z.enum(['ref/prompt', 'ref/resource']) }) }),
});

export interface RelayParts {
  readonly offers: Offers;
  readonly lanes: Lanes;
  readonly commands: CommandTable;
}

/**
 * @returns the upstream's result
 * @throws UpstreamFailure with `rpc` if it answered with an error; Refusal NotFound, MalformedRequest, Unavailable,
 *   ToolDenied, or Unauthorized or ApprovalRequired if the caller may not read resources there without asking
 */
export async function relay(
  request: RelayRequest,
  sender: Sender,
  { offers, lanes, commands }: RelayParts,
): Promise<JsonObject> {
  const upstream = offers.upstream(request.upstream);
  if (upstream === undefined) throw new Refusal('NotFound', 'rs');
  checkRelayed(request, commands);
  const { caller, lane } = request;
  const seat = lanes.seat({ service: sender.service, caller, lane }, upstream.config);
  try {
    return await seat.during(sender.peer, () =>
      pass(request, seat, sender, upstream.config.callTimeoutMs),
    );
  } catch (error) {
    if (!(error instanceof UpstreamFailure) || error.rpc !== undefined) throw error;
    throw new Refusal('Unavailable', 'rs', {
      detail: `upstream ${request.upstream}: ${error.message}`,
    });
  }
}

function checkRelayed(
  { upstream, method, params, caller }: RelayRequest,
  commands: CommandTable,
): void {
  const rule = (name: string) => ruleOf(`${upstream}:${name}`, commands);
  if (method === 'completion/complete') {
    const { type } = readAs(completion, { params }).params.ref;
    const { mode } = rule(type === 'ref/prompt' ? 'prompts/get' : 'resources/read');
    if (mode === 'denied') throw new Refusal('ToolDenied', 'rs');
  } else if (method === 'logging/setLevel') readAs(level, { params });
  else {
    readAs(watching, { params });
    const { mode, scopes } = rule('resources/read');
    if (mode === 'denied') throw new Refusal('ToolDenied', 'rs');
    const missingScopes = scopes.filter((scope) => !caller.scopes.includes(scope));
    if (missingScopes.length > 0) throw new Refusal('Unauthorized', 'rs', { missingScopes });
    if (mode !== 'open') throw new Refusal('ApprovalRequired', 'rs');
  }
}

async function pass(
  { method, params, lane }: RelayRequest,
  seat: Seat,
  { signal }: Sender,
  timeoutMs: number,
): Promise<JsonObject> {
  if (method === 'logging/setLevel') {
    await seat.connect(readAs(level, { params }).params.level);
    return {};
  }
  const connection = await seat.connect(lane?.log_level);
  if (method === 'completion/complete') {
    return connection.request({ method, params, timeoutMs, maxMs: timeoutMs, signal });
  }
  const { uri } = readAs(watching, { params }).params;
  return seat.watch(connection, uri, method === 'resources/subscribe');
}
