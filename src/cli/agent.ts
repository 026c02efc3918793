/** An MCP client as an agent has one: the SDK's own, over Streamable HTTP, declaring URL-mode elicitation. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError, UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Attempt } from './attempt.js';

/** What a tool call came to, as the client sees it. */
export type ToolAnswer =
  | { readonly kind: 'result'; readonly data: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'approval';
      readonly code: number;
      readonly url: string;
      readonly consentId: string;
    }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly layer: string;
      readonly reason?: string;
      readonly missingScopes?: readonly string[];
    };

/** `structuredContent` of a call that was not done. */
const notDone = z.looseObject({
  code: z.string().optional(),
  layer: z.string().optional(),
  by: z.string().optional(),
  reason: z.string().optional(),
  missing_scopes: z.array(z.string()).optional(),
  error: z.looseObject({ code: z.string() }).optional(),
});

export class Agent {
  private constructor(
    private readonly client: Client,
    private readonly transport: StreamableHTTPClientTransport,
  ) {}

  static async connect(mcpUrl: string, token: string, name: string): Promise<Agent> {
    const client = new Client(
      { name, version: '1.0.0' },
      { capabilities: { elicitation: { url: {} } } },
    );
    const headers = { authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), {
      requestInit: { headers },
    });
    await client.connect(transport);
    return new Agent(client, transport);
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    try {
      const { isError, structuredContent } = await this.client.callTool({ name, arguments: args });
      const data = structuredContent as Readonly<Record<string, unknown>>;
      return isError === true ? refusedAnswer(data) : { kind: 'result', data };
    } catch (error) {
      const elicitation =
        error instanceof UrlElicitationRequiredError ? error.elicitations[0] : undefined;
      if (error instanceof McpError && elicitation !== undefined) {
        const { url, elicitationId } = elicitation;
        return { kind: 'approval', code: error.code, url, consentId: elicitationId };
      }
      throw error;
    }
  }

  /** A call that has to succeed. Throws what it came to instead. */
  async need(
    name: string,
    args: Record<string, unknown>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.call(name, args);
    if (answer.kind === 'result') return answer.data;
    throw new Error(`${name}: ${answer.kind === 'refused' ? answer.code : 'approval required'}`);
  }

  async close(): Promise<void> {
    await this.transport.terminateSession().catch(() => undefined);
    await this.client.close();
  }
}

function refusedAnswer(data: unknown): ToolAnswer {
  const { code, layer, by, reason, missing_scopes, error } = notDone.parse(data ?? {});
  return {
    kind: 'refused',
    code: error?.code ?? code ?? 'unknown',
    layer: layer ?? by ?? (error === undefined ? 'unknown' : 'tool'),
    ...(reason === undefined ? {} : { reason }),
    ...(missing_scopes === undefined ? {} : { missingScopes: missing_scopes }),
  };
}

/** The answer as an attempt that either got through or was refused. */
export function attemptOfCall(answer: ToolAnswer): Attempt {
  if (answer.kind === 'result') return { kind: 'done', what: 'it ran' };
  if (answer.kind === 'refused') return answer;
  return { kind: 'refused', code: 'ApprovalRequired', layer: 'dispatcher' };
}
