import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../contract/wire.js';
import type { Announcements } from '../mcp/announcements.js';
import { type Connection, peerOfEnvelope } from '../mcp/connection.js';
import { peerOf } from '../mcp/peer.js';
import { pushOn } from '../mcp/push.js';

export type { ServerContext };

const FIRST_MODERN = '2026-07-28';
/** 1.x keeps the negotiated version to itself; a client that declares `elicitation.url` speaks one that has it. */
const UNSAID = '2025-11-25';

/** The client at the other end of a server, as far as its server knows it. */
export function connectionTo(
  { server }: Pick<McpServer, 'server'>,
  callerOf: (context: ServerContext) => Caller,
  announcements: Announcements,
): Connection {
  const version = (): string =>
    (server as Partial<typeof server>).getNegotiatedProtocolVersion?.() ?? UNSAID;
  const isModern = (): boolean => version() >= FIRST_MODERN;
  return {
    get era() {
      return isModern() ? 'modern' : 'legacy';
    },
    get push() {
      return isModern() ? undefined : pushOn;
    },
    caller: callerOf,
    peer: (context) =>
      isModern()
        ? peerOfEnvelope(context)
        : peerOf(server.getClientCapabilities(), server.getClientVersion(), version()),
    lane: () => undefined,
    claim: () => undefined,
    listen: () => undefined,
    announceWhenDecided: (required) =>
      announcements.watch(required.consentId, required, () => {
        server
          .createElicitationCompletionNotifier(required.consentId)()
          .catch(() => undefined);
      }),
  };
}
