/** JSON-RPC requests by hand, for what no SDK client sends. */
import { request } from 'undici';
import type { TestStack } from './test-stack.js';

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

/** POST /mcp; the answer's last JSON-RPC message, or the whole document. */
export async function rpc(
  stack: TestStack,
  token: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RpcAnswer> {
  const answer = await request(stack.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
  });
  const text = await answer.body.text();
  const event = text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .at(-1);
  const json = event === undefined ? text : event.slice(5);
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: json.trimStart().startsWith('{') ? (JSON.parse(json) as Record<string, unknown>) : {},
  };
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { url: {} } },
    clientInfo: { name: 'attacker', version: '1' },
  },
};
