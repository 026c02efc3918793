/** Somebody on the wire between two agents: a reverse proxy that sees everything and may change it. */
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { request } from 'undici';

/** What passed over a wire, in order. */
export interface Passed {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A reverse proxy in front of one agent: sees everything, and may change it. */
export class Wire {
  readonly passed: Passed[] = [];
  /** Changes what is said to the agent. */
  onRequest: (body: string) => string = (body) => body;
  /** Changes what the agent answers, streams excepted. */
  onAnswer: (body: string, path: string) => string = (body) => body;
  target = '';
  private constructor(private readonly server: Server) {}

  static async open(): Promise<Wire> {
    const server = createServer((incoming, outgoing) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks).toString('utf8');
        const { authorization } = incoming.headers;
        wire.passed.push({ path: incoming.url ?? '', authorization, body });
        const sent = body === '' ? '' : wire.onRequest(body);
        const answer = await request(`${wire.target}${incoming.url ?? ''}`, {
          method: incoming.method as 'GET' | 'POST',
          headers: headersOf(incoming.headers),
          body: sent === '' ? null : sent,
          bodyTimeout: 0,
        });
        const type = String(answer.headers['content-type'] ?? '');
        outgoing.writeHead(answer.statusCode, { 'content-type': type });
        if (type.startsWith('text/event-stream')) {
          outgoing.flushHeaders();
          Readable.from(answer.body)
            .on('error', () => outgoing.destroy())
            .pipe(outgoing);
          outgoing.on('close', () => answer.body.destroy());
          return;
        }
        outgoing.end(wire.onAnswer(await answer.body.text(), incoming.url ?? ''));
      })().catch(() => outgoing.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const wire = new Wire(server);
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  honest(): void {
    this.onRequest = (body) => body;
    this.onAnswer = (body) => body;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const HOP_BY_HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'expect'];

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_BY_HOP.includes(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : (value ?? '')]),
  );
}
