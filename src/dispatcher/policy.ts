import * as z from 'zod';

/** What the operator says of one tool. A tool the policy does not name is gated (fail closed). */
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
});
export type ToolPolicy = z.infer<typeof toolPolicy>;

export interface Surface {
  readonly policy: Readonly<Record<string, ToolPolicy>>;
  /** Gated tools that may be offered at all. */
  readonly allowlist: readonly string[];
  /** Whether a gate is wired. Without one the surface is read-only. */
  readonly gateWired: boolean;
}

const UNNAMED: ToolPolicy = { scopes: [], mode: 'gated' };

/** The policy of a tool, or undefined when the surface does not offer it. */
export function offered(surface: Surface, tool: string): ToolPolicy | undefined {
  const policy = Object.hasOwn(surface.policy, tool) ? (surface.policy[tool] ?? UNNAMED) : UNNAMED;
  if (policy.mode === 'denied') return undefined;
  if (policy.mode === 'gated')
    return surface.gateWired && surface.allowlist.includes(tool) ? policy : undefined;
  return surface.gateWired || policy.read_only === true ? policy : undefined;
}
