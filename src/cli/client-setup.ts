/** Ready-made client configuration, in the formats the clients document. */
export interface Endpoint {
  readonly mcpUrl: string;
  readonly token: string;
}

/** https://code.claude.com/docs/en/mcp */
export function claudeCode({ mcpUrl, token }: Endpoint): string {
  return `claude mcp add --transport http consent-bridge ${mcpUrl} --header "Authorization: Bearer ${token}"`;
}

/** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration */
export function vsCode({ mcpUrl, token }: Endpoint): string {
  const headers = { Authorization: `Bearer ${token}` };
  const server = { type: 'http', url: mcpUrl, headers };
  return JSON.stringify({ servers: { 'consent-bridge': server } }, null, 2);
}

/** https://github.com/modelcontextprotocol/inspector (2.x, on Node 22.19 or newer) */
export function inspector({ mcpUrl, token }: Endpoint): string {
  return `npx @modelcontextprotocol/inspector --transport http --server-url ${mcpUrl} --header "Authorization: Bearer ${token}"`;
}
