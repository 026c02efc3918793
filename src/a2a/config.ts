import type { JWK } from 'jose';
import * as z from 'zod';
import { agentId } from './extension.js';

const publicJwk = z.custom<JWK>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'kty' in value &&
    'x' in value &&
    !('d' in value),
  'must be a public EC P-256 JWK',
);

/** The `a2a` member of the bridge's `config.json`. */
export const a2aConfig = z.strictObject({
  /** This agent's name in chains, and the client its approvals are bound to. */
  agent_id: agentId,
  /** EC P-256 private JWK: signs this agent's card, its statements and its asks. */
  key_file: z.string().min(1),
  /** Base address under which other agents reach this one. */
  url: z.url(),
  /** Public keys of other agents, by their id, however many hops away. */
  trusted: z.record(agentId, publicJwk),
  /** Present: other agents may call this one, at `url` + `/a2a`. */
  serve: z
    .strictObject({
      description: z.string().min(1).optional(),
      /** Origins to which push notifications may go; none when absent. */
      push_origins: z.array(z.url()).optional(),
      /** Also speak A2A 0.3. */
      legacy: z.boolean().optional(),
    })
    .optional(),
  /** Remote agents whose tools are offered here as `name.tool`. */
  agents: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9-]{1,32}$/),
        agent_id: agentId,
        /** Base address; its card is at `/.well-known/agent-card.json` and all it names must be of this origin. */
        url: z.url(),
        /** For whom this bridge may call it: the file with the bearer token, by the caller's subject. */
        tokens: z.record(z.string().min(1), z.string().min(1)),
        /** Scopes a caller needs here, all of them, before anything is sent. */
        scopes: z.array(z.string().min(1)),
        /** Origins of the consent pages to which a person may be sent on its behalf. */
        consent_origins: z.array(z.url()).min(1),
        /** How this bridge learns that a parked task moved. `stream` when absent. */
        updates: z.enum(['stream', 'poll', 'push']).optional(),
        /** It speaks A2A 0.3. */
        legacy: z.boolean().optional(),
      }),
    )
    .optional(),
});
export type A2aConfig = z.infer<typeof a2aConfig>;
export type RemoteAgentConfig = NonNullable<A2aConfig['agents']>[number];
