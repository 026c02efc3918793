import {
  StdioServerTransport,
  type StdioServerHandle,
  serveStdio,
} from '@modelcontextprotocol/server/stdio';
import type { Server } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import { type Caller, MAX_BODY_BYTES } from '../contract/wire.js';
import { peerOfEnvelope } from './connection.js';
import type { LegacyPorts } from './legacy-http.js';
import { type Peer, peerOf } from './peer.js';
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
  return serveStdio(
    ({ era }) => {
      const legacyPeer = (): Peer =>
        peerOf(
          server.getClientCapabilities(),
          server.getClientVersion(),
          server.getNegotiatedProtocolVersion() ?? '',
        );
      const server: Server = mcpServer(
        {
          era,
          caller,
          peer: (ctx) => (era === 'modern' ? peerOfEnvelope(ctx) : legacyPeer()),
          announceWhenDecided: (required) =>
            ports.announcements.watch(required.consentId, required, () => {
              server
                .createElicitationCompletionNotifier(required.consentId)()
                .catch(() => undefined);
            }),
        },
        ports,
      );
      return server;
    },
    { transport: new StdioServerTransport(lines, stdout, { maxBufferSize: MAX_BODY_BYTES }) },
  );
}
