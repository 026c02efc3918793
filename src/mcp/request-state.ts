import {
  type RequestStateCodec,
  type ServerContext,
  createRequestStateCodec,
} from '@modelcontextprotocol/server';
import { createHash, hkdfSync } from 'node:crypto';
import * as z from 'zod';
import type { Caller } from '../contract/wire.js';

/**
 * What travels through a 2026-07-28 client between rounds: which exact call, which consent it waits for, which run goes
 * on. Sealed with a key derived from the gate key and bound to the method and the caller; expires with the approval.
 */
const sealed = z.strictObject({
  call: z.string(),
  consent: z.string().optional(),
  run: z.string().optional(),
});
export type CallState = z.infer<typeof sealed>;
export type CallStateCodec = RequestStateCodec<CallState>;

export function callStateCodec(
  gateKey: Buffer,
  ttlSeconds: number,
  callerOf: (ctx: ServerContext) => Caller,
): CallStateCodec {
  const codec = createRequestStateCodec<CallState>({
    key: new Uint8Array(hkdfSync('sha256', gateKey, '', 'consent-bridge request-state', 32)),
    ttlSeconds,
    bind: (ctx) => {
      const { subject, client_id } = callerOf(ctx);
      return JSON.stringify([ctx.mcpReq.method, subject, client_id]);
    },
  });
  return {
    mint: (state, ctx) => codec.mint(state, ctx),
    verify: async (text, ctx) =>
      sealed.parse(await codec.verify(isCanonical(text) ? text : NO_STATE, ctx)),
  };
}

/** What no codec sealed. */
const NO_STATE = '';

/** The SDK reads base64url leniently: without this, one state would have several texts (RFC 4648 section 3.5). */
function isCanonical(text: string): boolean {
  const [, ...parts] = text.split('.');
  return parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

/** Base64url SHA-256 naming one call: tool and RFC 8785 arguments, length-prefixed by being a JSON array. */
export function callDigest(tool: string, canonicalArgs: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, canonicalArgs]))
    .digest('base64url');
}
