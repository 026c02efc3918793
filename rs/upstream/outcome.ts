/** What came of a call to an upstream, as the contract says it. */
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { RpcError } from '../../src/contract/wire.js';
import type { ActionOutcome } from '../actions/actions.js';
import type { Target } from './offers.js';

const MAX_MESSAGE = 500;

/** A tool that reports an error ran; what it said travels along. */
export function outcomeOf(method: Target['method'], result: JsonObject): ActionOutcome {
  if (method !== 'tools/call' || result['isError'] !== true) return { status: 'success', result };
  const content = Array.isArray(result['content']) ? result['content'] : [];
  const texts = content.flatMap((block: unknown) =>
    isJsonObject(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  const message = cut(texts[0] ?? 'The tool reported an error.');
  return { status: 'failure', error: { code: 'ToolFailed', message }, result };
}

export function failed(message: string, rpc?: RpcError): ActionOutcome {
  const error = { code: 'UpstreamError', message: cut(message) };
  return { status: 'failure', error: rpc === undefined ? error : { ...error, rpc } };
}

/** Never between the two halves of a character. */
function cut(text: string): string {
  return text.slice(0, MAX_MESSAGE).replace(/[\ud800-\udbff]$/, '');
}
