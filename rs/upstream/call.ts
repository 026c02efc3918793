import type { JsonObject } from '../../src/contract/json.js';
import type { ExecuteRequest } from '../../src/contract/wire.js';
import type { Target } from './offers.js';
import { paramHeaders } from './param-headers.js';

/** Names the protocol keeps for itself, and the token this server sets. */
const RESERVED = /^(?:io\.modelcontextprotocol\/.*|progressToken)$/;

/** The MCP request that a command stands for. Nothing nobody signed goes along with a gated one. */
export function callOf(target: Target, { args, meta }: ExecuteRequest, isOpen: boolean) {
  const { method } = target;
  const _meta = Object.entries(isOpen ? (meta ?? {}) : {}).filter(([name]) => !RESERVED.test(name));
  const withMeta = (params: JsonObject): JsonObject =>
    _meta.length === 0 ? params : { ...params, _meta: Object.fromEntries(_meta) };
  if (target.method !== 'tools/call') return { method, params: withMeta(args) };
  const { tool, accepted } = target.pin;
  return {
    method,
    params: withMeta({ name: tool, arguments: args }),
    headers: paramHeaders(accepted.definition['input_schema'], args),
  };
}
