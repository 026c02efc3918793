/** 2026-07-28 requests written by hand, for what an SDK client would never send. */
import { request } from 'undici';
import type { TestStack } from './test-stack.js';

export interface RawAnswer {
  readonly result: Record<string, unknown>;
  /** From an `input_required` result; empty otherwise. */
  readonly requestState: string;
  readonly url: string;
  /** How many progress notifications came before the result. */
  readonly progress: number;
}

export interface RawOptions {
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
  readonly progressToken?: string;
}

export interface RawModern {
  /** @throws {code} of a JSON-RPC error */
  call(name: string, args: unknown, options?: RawOptions): Promise<RawAnswer>;
  /** Resolves once the call waits for the person; `answer` is what it comes to. */
  callThatWaits(
    name: string,
    args: unknown,
    options: RawOptions,
  ): Promise<{ readonly answer: Promise<RawAnswer> }>;
}

interface Message {
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export function rawModern(stack: TestStack, token: string): RawModern {
  let id = 0;
  const send = async (name: string, args: unknown, options: RawOptions) => {
    const { progressToken, ...retry } = options;
    id += 1;
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
      ...(progressToken === undefined ? {} : { progressToken }),
    };
    const { body } = await request(stack.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name, arguments: args, _meta: meta, ...retry },
      }),
    });
    return body;
  };
  return {
    call: async (name, args, options = {}) =>
      answerIn(await (await send(name, args, options)).text()),
    callThatWaits: async (name, args, options) => {
      const body = await send(name, args, { ...options, progressToken: 'waiting' });
      let text = '';
      const whole = new Promise<string>((resolve, reject) => {
        body.on('end', () => resolve(text)).on('error', reject);
      });
      // The first progress notification: from now on it waits.
      await new Promise<void>((resolve) => {
        body.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          resolve();
        });
      });
      return { answer: whole.then(answerIn) };
    },
  };
}

function answerIn(text: string): RawAnswer {
  const messages = messagesOf(text);
  const last = messages.at(-1);
  if (last?.error !== undefined)
    throw Object.assign(new Error(last.error.message), { code: last.error.code });
  const result = last?.result ?? {};
  const requests = (result['inputRequests'] ?? {}) as Record<string, { params: { url: string } }>;
  return {
    result,
    requestState: typeof result['requestState'] === 'string' ? result['requestState'] : '',
    url: Object.values(requests)[0]?.params.url ?? '',
    progress: messages.filter(({ method }) => method === 'notifications/progress').length,
  };
}

function messagesOf(text: string): Message[] {
  const lines = text.split('\n');
  const events = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
  return (events.length > 0 ? events : [text]).map((json) => JSON.parse(json) as Message);
}
