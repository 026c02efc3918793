/** The everything-server, and a gateway before it that lets everything through. */
import { Workshop, startGateway } from '../support/gateway-stack.js';
import type { TestStack } from '../support/test-stack.js';
import { type EverythingServer, startEverything } from './everything-server.js';
import { type TokenProxy, startTokenProxy } from './token-proxy.js';

export interface BothWays {
  /** The server itself. */
  readonly direct: string;
  /** The server through the gateway, where no token is asked for. */
  readonly gateway: string;
  close(): Promise<void>;
}

export async function startBothWays(eras?: readonly ('legacy' | 'modern')[]): Promise<BothWays> {
  const workshop = new Workshop();
  const open: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const one of open.reverse()) await one.close();
    workshop.remove();
  };
  try {
    const server: EverythingServer = await startEverything(eras);
    open.push(server);
    const everything = { url: server.url, prefix: '', tools: { '*': 'open' } };
    const rest = { resources: 'open', prompts: 'open' };
    const stack: TestStack = await startGateway(
      workshop.config({ everything: { ...everything, ...rest } }),
    );
    open.push({ close: () => stack.stop() });
    const token = await stack.token('alice@example.com', { clientId: 'conformance' });
    const proxy: TokenProxy = await startTokenProxy(stack.mcpUrl, token);
    open.push(proxy);
    return { direct: server.url, gateway: proxy.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
