#!/usr/bin/env node
/**
 * A small MCP server on stdio for what the reference servers do not do. It works in the directory it is given:
 * `mark.txt` and `slow.txt` are the descriptions of these tools, read anew and announced whenever they change; every run
 * of `mark` is a line of `marks.log`; `slow` begins with a line of `begun.log` and ends when the file `go` is there; each
 * reading of the resource `odd://secret` is a line of `reads.log`.
 */
import { appendFileSync, existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const [directory] = process.argv.slice(2);
const file = (name) => join(directory, name);
const description = (tool, otherwise) =>
  existsSync(file(`${tool}.txt`)) ? readFileSync(file(`${tool}.txt`), 'utf8') : otherwise;

const server = new Server(
  { name: 'odd', version: '1.0.0' },
  { capabilities: { tools: { listChanged: true }, resources: {} } },
);
const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    { name: 'mark', description: description('mark', 'Marks.'), inputSchema: text },
    { name: 'slow', description: description('slow', 'Marks in the end.'), inputSchema: text },
    { name: 'slow_open', description: 'Marks in the end.', inputSchema: text },
  ],
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, ...extra }) => {
  const { name, arguments: args } = params;
  if (name !== 'mark') {
    appendFileSync(file('begun.log'), `${args.text}\n`);
    const progressToken = params._meta?.progressToken;
    if (progressToken !== undefined)
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: 1 },
      });
    await appears('go', signal);
    if (signal.aborted) {
      appendFileSync(file('cancelled.log'), `${args.text}\n`);
      return { content: [] };
    }
  }
  appendFileSync(file('marks.log'), `${args.text}\n`);
  return { content: [{ type: 'text', text: `marked ${args.text}` }] };
});
server.setRequestHandler(ListResourcesRequestSchema, () => ({
  resources: [{ uri: 'odd://secret', name: 'secret' }],
}));
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
  appendFileSync(file('reads.log'), `${uri}\n`);
  return { contents: [{ uri, mimeType: 'text/plain', text: 'the secret' }] };
});

function appears(name, signal) {
  return new Promise((resolve) => {
    const watcher = watch(directory, check);
    function check() {
      if (!existsSync(file(name)) && !signal.aborted) return;
      watcher.close();
      resolve();
    }
    signal.addEventListener('abort', check);
    check();
  });
}

watch(directory, (_event, name) => {
  if (name === 'mark.txt' || name === 'slow.txt') void server.sendToolListChanged();
});
await server.connect(new StdioServerTransport());
