/** A 2025-11-25 client that can be asked everything, and keeps what it heard and was asked. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  type Progress,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { TestStack } from './test-stack.js';

export class FullClient {
  readonly logs: string[] = [];
  readonly updated: string[] = [];
  readonly asked: string[] = [];
  readonly listChanges: string[] = [];
  readonly progress: Progress[] = [];
  readonly client: Client;

  private constructor(readonly name: string) {
    this.client = new Client(
      { name, version: '1.0.0' },
      { capabilities: { sampling: {}, roots: {}, elicitation: { form: {}, url: {} } } },
    );
    const { client } = this;
    client.setRequestHandler(CreateMessageRequestSchema, () => {
      this.asked.push('sampling');
      return { model: name, role: 'assistant', content: { type: 'text', text: `I am ${name}` } };
    });
    client.setRequestHandler(ElicitRequestSchema, () => {
      this.asked.push('elicitation');
      return { action: 'accept', content: { name } };
    });
    client.setRequestHandler(ListRootsRequestSchema, () => {
      this.asked.push('roots');
      return { roots: [{ uri: `file:///home/${name}`, name }] };
    });
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      this.logs.push(JSON.stringify(params));
    });
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      this.updated.push(params.uri);
    });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      this.listChanges.push('tools');
    });
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      this.listChanges.push('resources');
    });
  }

  /** @param name also that of its token's client, so that it has limits of its own */
  static async connect(stack: TestStack, subject: string, name: string): Promise<FullClient> {
    const token = await stack.token(subject, { clientId: name });
    const full = new FullClient(name);
    const headers = { authorization: `Bearer ${token}` };
    await full.client.connect(
      new StreamableHTTPClientTransport(new URL(stack.mcpUrl), { requestInit: { headers } }),
    );
    return full;
  }

  /** The text blocks of a result, as one text. */
  async text(
    name: string,
    args: Record<string, unknown> = {},
    options: { signal?: AbortSignal; timeout?: number } = {},
  ): Promise<string> {
    const onprogress = (progress: Progress): void => void this.progress.push(progress);
    const { content } = await this.client.callTool({ name, arguments: args }, undefined, {
      ...options,
      onprogress,
    });
    return (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
