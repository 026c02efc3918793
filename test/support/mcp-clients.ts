/** Real MCP clients of both SDK lines, with the capabilities a test wants them to declare. */
import { randomUUID } from 'node:crypto';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  type CallToolResult,
  type ClientCapabilities,
  ElicitationCompleteNotificationSchema,
  McpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/sdk/types.js';
import { domainDir } from '../../src/cli/data-directory.js';
import { mainOf } from '../../src/cli/processes.js';
import type { TestStack } from './test-stack.js';

export const URL_MODE: ClientCapabilities = { elicitation: { url: {} } };
export const FORM_ONLY: ClientCapabilities = { elicitation: {} };
export const NO_ELICITATION: ClientCapabilities = {};

/** A 2025-11-25 client: the v1 SDK most hosts run. */
export class LegacyClient {
  /** Elicitation ids the server said are complete. */
  readonly completed: string[] = [];

  private constructor(readonly client: Client) {
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
      this.completed.push(params.elicitationId);
    });
  }

  static async http(
    stack: Pick<TestStack, 'mcpUrl'>,
    token: string,
    capabilities = URL_MODE,
  ): Promise<LegacyClient> {
    const legacy = new LegacyClient(
      new Client({ name: 'test', version: '1.0.0' }, { capabilities }),
    );
    const headers = { authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(stack.mcpUrl), {
      requestInit: { headers },
    });
    await legacy.client.connect(transport);
    return legacy;
  }

  /** An HTTP client that is a caller of its own, since limits count per caller. */
  static async fresh(
    stack: TestStack,
    subject: string,
    capabilities = URL_MODE,
  ): Promise<LegacyClient> {
    const clientId = `agent-${randomUUID()}`;
    return LegacyClient.http(stack, await stack.token(subject, { clientId }), capabilities);
  }

  /** Makes a task and returns its id. */
  async newTask(title: string): Promise<string> {
    const { task } = structured(await this.call('create_task', { title })) as {
      task: { id: string };
    };
    return task.id;
  }

  static async stdio(
    stack: TestStack,
    token: string,
    capabilities = URL_MODE,
  ): Promise<LegacyClient> {
    const legacy = new LegacyClient(
      new Client({ name: 'test', version: '1.0.0' }, { capabilities }),
    );
    await legacy.client.connect(stdioTransport(stack, token));
    return legacy;
  }

  /** The result, or what was thrown as `{elicitation}`. Other errors are the test's failure. */
  async call(
    name: string,
    args: Record<string, unknown> = {},
    meta?: Record<string, unknown>,
  ): Promise<LegacyAnswer> {
    try {
      const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
      return {
        result: (await this.client.callTool(params, CallToolResultSchema)) as CallToolResult,
      };
    } catch (error) {
      if (!(error instanceof UrlElicitationRequiredError)) throw error;
      const { url, elicitationId, message } = error.elicitations[0]!;
      return {
        elicitation: {
          code: error.code,
          url,
          id: elicitationId,
          message,
          count: error.elicitations.length,
        },
      };
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export interface Elicitation {
  readonly code: number;
  readonly url: string;
  readonly id: string;
  readonly message: string;
  readonly count: number;
}

export interface LegacyAnswer {
  readonly result?: CallToolResult;
  readonly elicitation?: Elicitation;
}

/** The elicitation of an answer that must be one. */
export function elicitationOf(answer: LegacyAnswer): Elicitation {
  if (answer.elicitation === undefined)
    throw new Error(`no elicitation but ${JSON.stringify(answer.result)}`);
  return answer.elicitation;
}

/** `structuredContent` of an answer that must be a result. */
export function structured(answer: LegacyAnswer): Record<string, unknown> {
  if (answer.result === undefined)
    throw new Error(`no result but ${JSON.stringify(answer.elicitation)}`);
  return answer.result.structuredContent as Record<string, unknown>;
}

function stdioTransport(stack: TestStack, token: string): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [mainOf('bridge'), 'stdio', '--data', domainDir(stack.data, 'bridge')],
    env: { CONSENT_BRIDGE_TOKEN: token },
    stderr: 'pipe',
  });
}

export type Answer = { action: 'accept' | 'decline' | 'cancel' };

/** A 2026-07-28 client: the v2 SDK, which answers `input_required` by itself with what `onUrl` returns. */
export async function modernClient(
  stack: Pick<TestStack, 'mcpUrl'>,
  token: string,
  onUrl: (url: string) => Promise<Answer>,
  capabilities: Record<string, object> = { elicitation: { url: {} } },
): Promise<ModernClient> {
  const client = new ModernClient(
    { name: 'modern-test', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  if (capabilities['elicitation'] !== undefined) {
    client.setRequestHandler('elicitation/create', (request) =>
      'url' in request.params
        ? onUrl(request.params.url)
        : Promise.resolve({ action: 'cancel' as const }),
    );
  }
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new ModernHttp(new URL(stack.mcpUrl), { requestInit: { headers } }));
  return client;
}

export function errorCode(error: unknown): number | undefined {
  return error instanceof McpError ? error.code : (error as { code?: number }).code;
}
