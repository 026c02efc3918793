import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Caller } from '../contract/wire.js';
import type { ApprovalRequired } from '../dispatcher/outcome.js';
import { type Peer, peerOf } from './peer.js';

/** What a served MCP connection (or single request) knows of its other end. */
export interface Connection {
  readonly era: 'legacy' | 'modern';
  /** @throws Refusal `Unauthenticated` */
  caller(ctx: ServerContext): Caller;
  peer(ctx: ServerContext): Peer;
  /** Sends `notifications/elicitation/complete` once the person has decided, if the client can be reached then. No flow depends on it. */
  announceWhenDecided(required: ApprovalRequired): void;
}

const envelope = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z
    .looseObject({ elicitation: z.looseObject({}).optional() })
    .optional(),
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  [PROTOCOL_VERSION_META_KEY]: z.string(),
});

/** The client as a 2026-07-28 request describes it in its own envelope. */
export function peerOfEnvelope(ctx: ServerContext): Peer {
  const parsed = envelope.safeParse(ctx.mcpReq.envelope);
  if (!parsed.success) return { elicitation: 'none', name: undefined };
  return peerOf(
    parsed.data[CLIENT_CAPABILITIES_META_KEY],
    parsed.data[CLIENT_INFO_META_KEY],
    parsed.data[PROTOCOL_VERSION_META_KEY],
  );
}
