// A server of the 2026-07-28 era, over stdio or (with PORT) Streamable HTTP.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

function server() {
  const mcp = new McpServer({ name: 'modern', version: '1' }, { instructions: 'be kind' });
  mcp.registerTool(
    'add',
    { inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
      structuredContent: { sum: a + b },
      _meta: { 'test/kept': true },
      unheard_of: 1,
    }),
  );
  mcp.registerTool('meta', { inputSchema: z.object({}) }, (_args, { mcpReq }) => ({
    content: [{ type: 'text', text: JSON.stringify(mcpReq._meta ?? {}) }],
  }));
  mcp.registerTool('name', { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'who');
    if (given) return { content: [{ type: 'text', text: `hello ${given.name}` }] };
    return inputRequired({
      inputRequests: {
        who: inputRequired.elicit({
          message: 'Who are you?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        }),
      },
    });
  });
  mcp.registerTool('steps', { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (let progress = 1; progress <= 3; progress++) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 3 },
      });
    }
    return { content: [{ type: 'text', text: 'done' }] };
  });
  mcp.registerResource('note', 'note://one', {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'a note' }],
  }));
  mcp.registerPrompt('ask', { argsSchema: z.object({ topic: z.string() }) }, ({ topic }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `about ${topic}` } }],
  }));
  return mcp;
}

if (process.env.HTTP) {
  const handler = createMcpHandler(() => server());
  const http = createServer(toNodeHandler(handler));
  http.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: http.address().port })));
} else serveStdio(() => server());
