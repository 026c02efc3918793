/** An agent's line to the bridge in raw JSON-RPC, in either protocol era. Says what came back, or that nothing did. */
import { randomInt } from 'node:crypto';
import type { Pool } from 'undici';

export type Reply =
  /** A person must sign first. */
  | {
      readonly kind: 'asked';
      readonly id: string;
      readonly url: string;
      readonly requestState: string;
    }
  | { readonly kind: 'success'; readonly result: Record<string, unknown> }
  /** A tool result that says why not: `declined`, `failed`, or the refusal's code. */
  | { readonly kind: 'not-done'; readonly why: string }
  /** A JSON-RPC or HTTP error. */
  | { readonly kind: 'error'; readonly why: string }
  /** No answer, or half of one. */
  | { readonly kind: 'lost'; readonly why: string };

interface Message {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: Record<string, unknown>;
    readonly inputRequests?: Record<string, { readonly params: { readonly url: string } }>;
    readonly requestState?: string;
  };
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: {
      readonly elicitations?: readonly { readonly url: string; readonly elicitationId: string }[];
    };
  };
}

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const CAPABILITIES = { elicitation: { url: {} } };
const CLIENT = { name: 'crash', version: '1' };

export class AgentLine {
  private session: string | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly token: string,
    readonly era: 'legacy' | 'modern',
  ) {}

  /** @param requestState of an earlier `asked`; a legacy line has none and finds its consent by the call itself */
  async call(
    name: string,
    args: Record<string, unknown>,
    requestState?: string,
    signal?: AbortSignal,
  ): Promise<Reply> {
    try {
      if (this.era === 'legacy') await this.open();
      const retry =
        this.era === 'legacy' || requestState === undefined
          ? {}
          : { requestState, inputResponses: { approval: { action: 'accept' } } };
      return replyOf(
        await this.post('tools/call', name, { name, arguments: args, ...retry }, signal),
      );
    } catch (error) {
      return { kind: 'lost', why: error instanceof Error ? error.message : String(error) };
    }
  }

  /** A 2025-era session is sealed into its id, so one outlives every restart. */
  private async open(): Promise<void> {
    if (this.session !== undefined) return;
    const params = { protocolVersion: LEGACY, capabilities: CAPABILITIES, clientInfo: CLIENT };
    const { session } = await this.post('initialize', undefined, params);
    this.session = session;
  }

  private async post(
    method: string,
    name: string | undefined,
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<{ status: number; text: string; session: string | undefined }> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': CLIENT,
      'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
    };
    const modern = this.era === 'modern';
    const response = await this.pool.request({
      method: 'POST',
      path: '/mcp',
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': modern ? MODERN : LEGACY,
        ...(modern ? { 'mcp-method': method, 'mcp-name': name ?? '' } : {}),
        ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: randomInt(1, 2 ** 47),
        method,
        params: modern ? { ...params, _meta } : params,
      }),
      ...(signal === undefined ? {} : { signal }),
    });
    const session = response.headers['mcp-session-id'];
    return {
      status: response.statusCode,
      text: await response.body.text(),
      session: typeof session === 'string' ? session : undefined,
    };
  }
}

function replyOf({ status, text }: { status: number; text: string }): Reply {
  const events = text.split('\n').filter((line) => line.startsWith('data:'));
  const json = events.at(-1)?.slice(5) ?? text;
  if (json.trim() === '') return { kind: 'lost', why: `status ${status} without a body` };
  const { result, error } = JSON.parse(json) as Message;
  const asked = error?.data?.elicitations?.[0];
  if (asked !== undefined)
    return { kind: 'asked', id: asked.elicitationId, url: asked.url, requestState: '' };
  if (error !== undefined) return { kind: 'error', why: `${error.code} ${error.message}` };
  if (result === undefined)
    return { kind: 'error', why: `status ${status}: ${json.slice(0, 200)}` };
  const url = Object.values(result.inputRequests ?? {})[0]?.params.url;
  if (url !== undefined) {
    const id = new URL(url).pathname.split('/').at(-1) ?? '';
    return { kind: 'asked', id, url, requestState: result.requestState ?? '' };
  }
  const said = result.structuredContent ?? {};
  if (result.isError !== true) return { kind: 'success', result: said };
  const why = said['status'] === 'refused' ? said['code'] : said['status'];
  return { kind: 'not-done', why: String(why) };
}
