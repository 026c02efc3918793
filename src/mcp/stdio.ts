import {
  StdioServerTransport,
  type StdioServerHandle,
  serveStdio,
} from '@modelcontextprotocol/server/stdio';
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from '../contract/json.js';
import { type Caller, type Lane, MAX_BODY_BYTES } from '../contract/wire.js';
import { type Connection, logLevelOfEnvelope, peerOfEnvelope } from './connection.js';
import type { LegacyPorts } from './legacy-http.js';
import { type Peer, peerOf } from './peer.js';
import { pushOn, pushTo } from './push.js';
import { mcpServer } from './server.js';
import { strictLines } from './strict-lines.js';

/** Serves one client over stdio, of either era. `caller` is asked on every call, so a revoked token stops working. */
export function stdioServer(
  ports: LegacyPorts,
  caller: () => Caller,
  stdin: Readable,
  stdout: Writable,
): StdioServerHandle {
  const lines = stdin.pipe(strictLines(stdout));
  const transport = new StdioServerTransport(lines, stdout, { maxBufferSize: MAX_BODY_BYTES });
  return serveStdio(({ era }) => served(era, ports, caller), { transport });
}

async function served(
  era: Connection['era'],
  ports: LegacyPorts,
  caller: () => Caller,
): Promise<Server> {
  const session = randomUUID();
  const legacyPeer = (): Peer =>
    peerOf(
      server.getClientCapabilities(),
      server.getClientVersion(),
      server.getNegotiatedProtocolVersion() ?? '',
    );
  const peer = (ctx: ServerContext): Peer =>
    era === 'modern' ? peerOfEnvelope(ctx) : legacyPeer();
  const lane = (ctx: ServerContext): Lane | undefined =>
    ports.lanes.of(session, peer(ctx), era === 'modern' ? logLevelOfEnvelope(ctx) : undefined);
  const say = (method: string, params: JsonObject): void => {
    const message = { jsonrpc: '2.0', method, params } as const;
    server.transport?.send(message).catch(() => undefined);
  };
  const connection: Connection = {
    era,
    caller,
    peer,
    lane,
    push: era === 'modern' ? undefined : pushOn,
    claim: (own) => ports.lanes.claim(session, own),
    listen: (ctx) => {
      const own = lane(ctx);
      if (own === undefined || era === 'modern') return;
      ports.listeners.start(caller(), own, {
        notify: say,
        ask: (ask) => pushTo(ask, server),
      });
    },
    announceWhenDecided: (required) =>
      ports.announcements.watch(required.consentId, required, () => {
        server
          .createElicitationCompletionNotifier(required.consentId)()
          .catch(() => undefined);
      }),
  };
  const server: Server = await mcpServer(connection, ports);
  if (era === 'legacy') {
    const end = ports.changes.subscribe((changed) =>
      say(`notifications/${changed}/list_changed`, {}),
    );
    server.onclose = end;
  }
  return server;
}
