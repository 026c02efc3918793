import * as z from 'zod';
import { matches, mostSpecific } from '../contract/patterns.js';

/** What a client without URL-mode elicitation gets: a result to act on, a held call, or a refusal. */
export const fallback = z.enum(['result', 'hold', 'refuse']);

/** What the operator says of a command, by name or pattern. One that the policy does not name is gated (fail closed). */
export const toolPolicy = z.strictObject({
  /** Scopes a caller needs, all of them, before anybody is asked. */
  scopes: z.array(z.string().min(1)),
  /** `open`: runs at once. `gated`: a person must sign each call. `denied`: is not offered. */
  mode: z.enum(['open', 'gated', 'denied']),
  /** True: the tool changes nothing, so it stays usable when no gate is wired. */
  read_only: z.boolean().optional(),
  /** Sentence for the approver, with `{member}` placeholders over the arguments. */
  binding_message: z.string().min(1).max(500).optional(),
  /** Who must sign. Without it the caller's own subject. */
  approver: z.string().min(1).max(256).optional(),
  /** How long the approver has, seconds. Without it what the bridge is configured for. */
  ttl_seconds: z.number().int().min(10).max(600).optional(),
  /** Without it what the bridge is configured for. */
  fallback: fallback.optional(),
});
export type ToolPolicy = z.infer<typeof toolPolicy>;

export interface Surface {
  /** By command name or pattern (contract/patterns.ts). */
  readonly policy: Readonly<Record<string, ToolPolicy>>;
  /** Names and patterns of gated commands that may be offered at all. */
  readonly allowlist: readonly string[];
  /** Whether a gate is wired. Without one the surface is read-only. */
  readonly gateWired: boolean;
}

const UNNAMED: ToolPolicy = { scopes: [], mode: 'gated' };

/** The policy of a command, or undefined when the surface does not offer it. */
export function offered(surface: Surface, command: string): ToolPolicy | undefined {
  const policy = mostSpecific(new Map(Object.entries(surface.policy)), command) ?? UNNAMED;
  if (policy.mode === 'denied') return undefined;
  if (policy.mode === 'open')
    return surface.gateWired || policy.read_only === true ? policy : undefined;
  const allowed = surface.allowlist.some((pattern) => matches(pattern, command));
  return surface.gateWired && allowed ? policy : undefined;
}
