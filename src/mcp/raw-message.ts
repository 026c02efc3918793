import { isJsonObject } from '../contract/json.js';

/**
 * The error a raw message earns before the SDK reads it, or undefined. The SDK takes `inputResponses` apart whatever its
 * type, so that a malformed one would look like one without answers.
 */
export function malformedRetry(message: unknown): object | undefined {
  if (!isJsonObject(message) || !isJsonObject(message['params'])) return undefined;
  const { inputResponses, requestState } = message['params'];
  const wellFormed =
    (inputResponses === undefined || isJsonObject(inputResponses)) &&
    (requestState === undefined || typeof requestState === 'string');
  if (wellFormed) return undefined;
  const error = {
    code: -32_602,
    message: 'inputResponses must be an object and requestState a string',
  };
  return { jsonrpc: '2.0', id: message['id'] ?? null, error };
}
