import type { ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { JsonObject } from '../contract/json.js';
import type { AskAnswer } from '../contract/wire.js';
import type { Ask } from '../dispatcher/exchange.js';

/** People answer, so this is far longer than a request between programs takes, milliseconds. */
export const ASK_TIMEOUT_MS = 600_000;

const anything = z.looseObject({});

interface Sender {
  request(
    message: { readonly method: string; readonly params: JsonObject },
    schema: typeof anything,
    options: { readonly timeout: number; readonly relatedRequestId?: string | number },
  ): Promise<unknown>;
}

/** Asks a 2025-era client at once, on the stream of the request it belongs to. */
export async function pushOn({ method, params }: Ask, ctx: ServerContext): Promise<AskAnswer> {
  return answered(ctx.mcpReq.send({ method, params }, anything, { timeout: ASK_TIMEOUT_MS }));
}

/** Asks a client on its standalone stream. */
export function pushTo({ method, params }: Ask, server: Sender): Promise<AskAnswer> {
  return answered(server.request({ method, params }, anything, { timeout: ASK_TIMEOUT_MS }));
}

async function answered(reply: Promise<unknown>): Promise<AskAnswer> {
  try {
    return { result: (await reply) as JsonObject };
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    const message = error instanceof Error ? error.message : 'not answered';
    return { error: { code: typeof code === 'number' ? code : -32_603, message } };
  }
}
