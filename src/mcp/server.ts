import { Server } from '@modelcontextprotocol/server';
import type { Catalogue } from '../dispatcher/catalogue.js';
import { type CallToolPorts, callTool } from './call-tool.js';
import type { Connection } from './connection.js';
import { listTools } from './tool-list.js';

export interface ServerPorts extends CallToolPorts {
  readonly catalogue: Pick<Catalogue, 'list'>;
  readonly version: string;
}

const INSTRUCTIONS =
  'Some tools need a person to approve each call. When a call asks for approval, show the person the link, and after ' +
  'they have signed repeat the call with exactly the same arguments. Never change arguments to get around a refusal.';

/** One low-level MCP server for one request or connection, of either era. */
export function mcpServer(connection: Connection, ports: ServerPorts): Server {
  const { codec } = ports;
  const server = new Server(
    { name: 'consent-bridge', title: 'consent-bridge', version: ports.version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      ...(codec === undefined
        ? {}
        : { requestState: { verify: (text, ctx) => codec.verify(text, ctx) } }),
    },
  );
  server.setRequestHandler('tools/list', async () => listTools(await ports.catalogue.list()));
  server.setRequestHandler('tools/call', (request, ctx) =>
    callTool(request, ctx, connection, ports),
  );
  return server;
}
