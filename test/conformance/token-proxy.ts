/** Passes requests on with a bearer token, for a test runner that can send none. Nothing else is changed. */
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenProxy {
  readonly url: string;
  close(): Promise<void>;
}

export async function startTokenProxy(target: string, token: string): Promise<TokenProxy> {
  const { hostname, port, pathname } = new URL(target);
  const pass = (from: IncomingMessage, to: ServerResponse): void => {
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    const onward = request(
      { hostname, port, path: pathname, method: from.method, headers },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        to.flushHeaders();
        answer.pipe(to);
      },
    );
    onward.on('error', () => to.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  };
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
