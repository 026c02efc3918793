import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Outcome } from '../dispatcher/outcome.js';

const data = z.looseObject({
  elicitations: z
    .array(z.looseObject({ mode: z.literal('url'), message: z.string(), url: z.url() }))
    .min(1)
    .max(16),
});

/** The links a 2025-era upstream wants its client to open (`-32042`), if that is what its error says. */
export function urlElicitations(
  outcome: Outcome,
): readonly { readonly message: string; readonly url: string }[] | undefined {
  if (outcome.kind !== 'Failed') return undefined;
  const { rpc } = outcome.error;
  if (rpc?.code !== (ProtocolErrorCode.UrlElicitationRequired as number)) return undefined;
  const parsed = data.safeParse(rpc.data);
  return parsed.success
    ? parsed.data.elicitations.map(({ message, url }) => ({ message, url }))
    : undefined;
}
