/** What an upstream may ask a client is what the client said it can answer, and never leads anywhere but to the web. */
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { getSupportedElicitationModes } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../src/contract/json.js';
import type { RpcError } from '../../src/contract/wire.js';
import { cleanObject } from './clean-json.js';
import type { AskMethod } from './connection-peer.js';
import { isWebAddress } from './web-address.js';

const INVALID = -32_602;
const NOT_FOUND = -32_601;
/** Characters of JSON; an ask travels in one line. */
const MAX_ASK = 4_194_304;

export class AskRefused extends Error {
  readonly code: number;
  constructor({ code, message }: RpcError) {
    super(message);
    this.code = code;
  }
}

/**
 * @returns the params, checked
 * @throws AskRefused with the JSON-RPC error for the upstream
 */
export function checkAsk(
  method: AskMethod,
  params: unknown,
  { sampling, elicitation, roots }: ClientCapabilities,
): JsonObject {
  const able = {
    'sampling/createMessage': sampling,
    'elicitation/create': elicitation,
    'roots/list': roots,
  }[method];
  if (able === undefined) throw new AskRefused({ code: NOT_FOUND, message: 'Method not found' });
  const clean = cleanObject(params ?? {});
  if (clean === undefined) throw invalid('The parameters cannot be passed on.');
  if (JSON.stringify(clean).length > MAX_ASK) throw invalid('The parameters are too large.');
  if (method === 'elicitation/create') checkElicitation(clean, elicitation);
  return clean;
}

function checkElicitation(
  params: JsonObject,
  elicitation: ClientCapabilities['elicitation'],
): void {
  const { supportsFormMode, supportsUrlMode } = getSupportedElicitationModes(elicitation);
  const isUrl = params['mode'] === 'url';
  if (!(isUrl ? supportsUrlMode : supportsFormMode)) {
    throw invalid('The client does not support this mode of elicitation.');
  }
  const leads = Object.hasOwn(params, 'url');
  if ((isUrl || leads) && !isWebAddress(params['url'])) {
    throw invalid('Only http and https addresses may be opened.');
  }
}

function invalid(message: string): AskRefused {
  return new AskRefused({ code: INVALID, message });
}
