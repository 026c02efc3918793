import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Caller, Lane } from '../contract/wire.js';
import type { ApprovalRequired } from '../dispatcher/outcome.js';
import type { Push } from './conversation.js';
import { type Peer, UNKNOWN_PEER, peerOf } from './peer.js';

/** What a served MCP connection (or single request) knows of its other end. */
export interface Connection {
  readonly era: 'legacy' | 'modern';
  /** Who calls, as long as what they came with is still good. @throws Refusal `Unauthenticated` */
  caller(ctx: ServerContext): Caller;
  peer(ctx: ServerContext): Peer;
  /** The client's own connections to upstream servers; undefined when it shares those of its caller. */
  lane(ctx: ServerContext): Lane | undefined;
  /** How what an upstream asks reaches the client at once; undefined where it goes with the answer to a request. */
  readonly push: Push;
  /** From now on the client has connections of its own, set up like this. */
  claim(own: { readonly logLevel?: string }): void;
  /** Passes on what upstreams say to this client outside its requests, if the client can be reached then. */
  listen(ctx: ServerContext): void;
  /** Sends `notifications/elicitation/complete` once the person has decided, if the client can be reached then. No flow depends on it. */
  announceWhenDecided(required: ApprovalRequired): void;
}

/** `_meta` member of a 2026-07-28 request: the lowest level of log messages the client wants with it. */
const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';

const envelope = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}).optional(),
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  [PROTOCOL_VERSION_META_KEY]: z.string(),
});

/** The client as a 2026-07-28 request describes it in its own envelope. */
export function peerOfEnvelope(ctx: ServerContext): Peer {
  const parsed = envelope.safeParse(ctx.mcpReq.envelope);
  if (!parsed.success) return UNKNOWN_PEER;
  return peerOf(
    parsed.data[CLIENT_CAPABILITIES_META_KEY],
    parsed.data[CLIENT_INFO_META_KEY],
    parsed.data[PROTOCOL_VERSION_META_KEY],
  );
}

export function logLevelOfEnvelope(ctx: ServerContext): string | undefined {
  const level = (ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[
    LOG_LEVEL_META_KEY
  ];
  return typeof level === 'string' ? level.slice(0, 32) : undefined;
}
