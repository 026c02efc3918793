/** An MCP server that has everything the conformance scenarios look for, for both protocol eras, over Streamable HTTP. */
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import {
  type EventId,
  type EventStore,
  type JSONRPCMessage,
  McpServer,
  type RegisteredPrompt,
  type RegisteredTool,
  ResourceTemplate,
  type StreamId,
  WebStandardStreamableHTTPServerTransport,
  completable,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  isLegacyRequest,
  localhostAllowedHostnames,
} from '@modelcontextprotocol/server';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { IMAGE, PIXEL, form } from './everything-content.js';
import { type State, registerTools } from './everything-tools.js';

export interface EverythingServer {
  readonly url: string;
  close(): Promise<void>;
}

/** 2025-11-25 and 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** @param eras which it serves */
export async function startEverything(eras: readonly Era[]): Promise<EverythingServer> {
  const everything = new Everything();
  const hosts = localhostAllowedHostnames();
  const [hostAllowed, originAllowed] = [hostHeaderValidation(hosts), originValidation(hosts)];
  const serve = toNodeHandler({
    fetch: async (request, options) => {
      const legacy = await isLegacyRequest(request, options?.parsedBody);
      if (legacy && eras.includes('legacy')) return everything.legacy(request);
      return everything.modern.fetch(request, options);
    },
  });
  const http = createServer((request, response) => {
    if (!hostAllowed(request, response) || !originAllowed(request, response)) return;
    if (!eras.includes('modern') && request.headers['mcp-protocol-version'] === '2026-07-28') {
      response.writeHead(400, { 'content-type': 'application/json' });
      const error = { code: -32_000, message: 'Bad Request: Unsupported protocol version' };
      response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
      return;
    }
    void serve(request as Parameters<typeof serve>[0], response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/mcp`,
    close: async () => {
      await everything.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Lists change for all clients at once. */
class Everything {
  private hasExtraTool = false;
  private hasExtraPrompt = false;
  private readonly sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  private readonly extraTools = new Set<RegisteredTool>();
  private readonly extraPrompts = new Set<RegisteredPrompt>();
  private readonly states = createRequestStateCodec<State>({
    key: new Uint8Array(randomBytes(32)),
    ttlSeconds: 300,
  });
  readonly modern = createMcpHandler(() => this.server(), { legacy: 'reject' });

  /** A session for each client of the 2025 era. */
  async legacy(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : this.sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    if (id !== null) {
      const error = { code: -32_001, message: 'Session not found' };
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new Events(),
      retryInterval: 500,
      onsessioninitialized: (session) => void this.sessions.set(session, transport),
      onsessionclosed: (session) => void this.sessions.delete(session),
    });
    await this.server(true).connect(transport);
    return transport.handleRequest(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((transport) => transport.close()));
    await this.modern.close();
  }

  private server(stays = false): McpServer {
    const hint = { ttlMs: 1000, cacheScope: 'private' } as const;
    const server = new McpServer(
      { name: 'everything', version: '1.0.0' },
      {
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          logging: {},
          completions: {},
        },
        requestState: { verify: (text, ctx) => this.states.verify(text, ctx) },
        cacheHints: {
          ...{ 'tools/list': hint, 'prompts/list': hint, 'resources/list': hint },
          ...{ 'resources/templates/list': hint, 'resources/read': hint, 'server/discover': hint },
        },
      },
    );
    registerTools(server, {
      states: this.states,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the one way that serves both eras
      capabilities: () => server.server.getClientCapabilities() ?? {},
      toggleTool: () => this.toggleTool(),
      togglePrompt: () => this.togglePrompt(),
    });
    registerResources(server);
    registerPrompts(server);
    const tool = server.registerTool('extra_tool', { description: 'Comes and goes' }, () => ({
      content: [],
    }));
    const prompt = server.registerPrompt('extra_prompt', { description: 'Comes and goes' }, () => ({
      messages: [],
    }));
    if (!this.hasExtraTool) tool.disable();
    if (!this.hasExtraPrompt) prompt.disable();
    if (stays) {
      this.extraTools.add(tool);
      this.extraPrompts.add(prompt);
    }
    for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const)
      server.server.setRequestHandler(method, () => ({}));
    return server;
  }

  private toggleTool(): void {
    this.hasExtraTool = !this.hasExtraTool;
    for (const tool of this.extraTools) tool.update({ enabled: this.hasExtraTool });
    this.modern.notify.toolsChanged();
  }

  private togglePrompt(): void {
    this.hasExtraPrompt = !this.hasExtraPrompt;
    for (const prompt of this.extraPrompts) prompt.update({ enabled: this.hasExtraPrompt });
    this.modern.notify.promptsChanged();
  }
}

function registerResources(server: McpServer): void {
  const listed = (
    name: string,
    mimeType: string,
    contents: { text: string } | { blob: string },
  ): void => {
    const uri = `test://${name}`;
    server.registerResource(name, uri, { title: name, description: name, mimeType }, () => ({
      contents: [{ uri, mimeType, ...contents }],
    }));
  };
  listed('static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  listed('static-binary', 'image/png', { blob: PIXEL });
  listed('watched-resource', 'text/plain', { text: 'Watched resource content' });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { title: 'template', description: 'By id', mimeType: 'application/json' },
    ({ href: uri }, { id }) => ({
      contents: [
        {
          uri,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

function registerPrompts(server: McpServer): void {
  const says = (text: string) => ({
    role: 'user' as const,
    content: { type: 'text' as const, text },
  });
  server.registerPrompt('test_simple_prompt', { description: 'Says one thing' }, () => ({
    messages: [says('This is a simple prompt for testing.')],
  }));
  const argument = completable(z.string(), (value) =>
    ['paris', 'park', 'party', 'test'].filter((word) => word.startsWith(value)),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Takes two', argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({
      messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const resource = {
        uri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      };
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource } },
          says('Please process the embedded resource above.'),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows' }, () => ({
    messages: [{ role: 'user', content: IMAGE }, says('Please analyze the image above.')],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks' }, (ctx) => {
    const answer = ctx.mcpReq.inputResponses?.['user_context'];
    if (answer !== undefined) return { messages: [says(JSON.stringify(answer))] };
    const user_context = form(
      'What context should the prompt use?',
      { context: { type: 'string' } },
      ['context'],
    );
    return inputRequired({ inputRequests: { user_context } });
  });
}

/** What was sent on the streams of one session, for who reconnects (SEP-1699). */
class Events implements EventStore {
  private readonly kept: { id: EventId; stream: StreamId; message: JSONRPCMessage }[] = [];

  storeEvent(stream: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const id = `${stream}_${this.kept.length}`;
    this.kept.push({ id, stream, message });
    return Promise.resolve(id);
  }

  getStreamIdForEventId(id: EventId): Promise<StreamId | undefined> {
    return Promise.resolve(this.kept.find((event) => event.id === id)?.stream);
  }

  async replayEventsAfter(
    last: EventId,
    { send }: { send: (id: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const at = this.kept.findIndex(({ id }) => id === last);
    const stream = this.kept[at]?.stream ?? '';
    const missed = this.kept.slice(at + 1).filter((event) => event.stream === stream);
    for (const { id, message } of missed)
      if ('method' in message || 'id' in message) await send(id, message);
    return stream;
  }
}
