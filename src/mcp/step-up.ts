import type { AuthInfo } from '@modelcontextprotocol/server';
import { isJsonObject } from '../contract/json.js';
import type { Dispatching } from '../dispatcher/dispatch.js';
import { callerOf, grantOf } from './callers.js';

/**
 * Scopes to answer a `tools/call` with a challenge for, before the SDK reads it: OAuth clients re-authorize on HTTP 403
 * `insufficient_scope` (MCP 2025-11-25 authorization, "Scope Challenge Handling") and on nothing inside a 200. Holders of a
 * local token have nobody to ask and get the tool result, which their model can read.
 */
export async function scopesToAskFor(
  auth: AuthInfo | undefined,
  body: unknown,
  dispatcher: Pick<Dispatching, 'scopesMissing'>,
): Promise<readonly string[]> {
  if (!isJsonObject(body) || body['method'] !== 'tools/call') return [];
  const { params } = body;
  const tool = isJsonObject(params) ? params['name'] : undefined;
  if (typeof tool !== 'string' || grantOf(auth).kind !== 'oauth') return [];
  return dispatcher.scopesMissing(callerOf(auth), tool);
}
