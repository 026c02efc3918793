/** What came of a call to an upstream, as the contract says it. */
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { RpcError } from '../../src/contract/wire.js';
import type { ActionOutcome } from '../actions/actions.js';
import { cutText } from './cut-text.js';
import type { Target } from './offers.js';

const MAX_MESSAGE = 500;

/** A tool that reports an error ran; what it said travels along. */
export function outcomeOf(method: Target['method'], result: JsonObject): ActionOutcome {
  if (method !== 'tools/call' || result['isError'] !== true) return { status: 'success', result };
  const content = Array.isArray(result['content']) ? result['content'] : [];
  const texts = content.flatMap((block: unknown) =>
    isJsonObject(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  const message = cutText(texts[0] ?? 'The tool reported an error.', MAX_MESSAGE);
  return { status: 'failure', error: { code: 'ToolFailed', message }, result };
}

export function failed(message: string, rpc?: RpcError): ActionOutcome {
  const error = { code: 'UpstreamError', message: cutText(message, MAX_MESSAGE) };
  return { status: 'failure', error: rpc === undefined ? error : { ...error, rpc } };
}
