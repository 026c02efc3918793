/** The everything-server, and gateways before it that let everything through. */
import { Workshop, startGateway } from '../support/gateway-stack.js';
import { type Era, startEverything } from './everything-server.js';
import { startTokenProxy } from './token-proxy.js';

export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** A gateway whose upstream serves these eras, where no token is asked for. */
export async function startGatewayRun(eras: readonly Era[]): Promise<Running> {
  const workshop = new Workshop();
  const open: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const one of open.reverse()) await one.close();
    workshop.remove();
  };
  try {
    const server = await startEverything(eras);
    open.push(server);
    const everything = { url: server.url, prefix: '', tools: { '*': 'open' } };
    const rest = { resources: 'open', prompts: 'open' };
    const stack = await startGateway(workshop.config({ everything: { ...everything, ...rest } }));
    open.push({ close: () => stack.stop() });
    const token = await stack.token('alice@example.com', { clientId: 'conformance' });
    const proxy = await startTokenProxy(stack.mcpUrl, token);
    open.push(proxy);
    return { url: proxy.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
