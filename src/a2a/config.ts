import type { JWK } from 'jose';
import * as z from 'zod';
import { scopeToken } from '../oauth/config.js';
import { secureUrl } from '../oauth/secure-url.js';
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

/** How this bridge gets access tokens for one remote agent. */
const hopOauth = z.strictObject({
  /** Authorization server, known by its metadata (RFC 8414). */
  issuer: z.string().refine(secureUrl, 'must be https; http only on this machine'),
  /** This bridge as a client there. Its tokens' client, so the remote agent must know this agent by that id. */
  client_id: z.string().min(1),
  /** Private JWK for `private_key_jwt` (RFC 7523); `alg` says how it signs, ES256 when absent. */
  private_jwk_file: z.string().min(1),
  /** RFC 8707: the remote agent's own `oauth.resource`. */
  resource: z.url(),
  scopes: z.array(scopeToken),
  /** For whom this bridge may call it: subjects of its own callers. */
  subjects: z.array(z.string().min(1)).min(1),
});
export type HopOauthConfig = z.infer<typeof hopOauth>;

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
      /**
       * For whom an agent that comes with an access token of its own may ask: subjects, by the client its token names. What a
       * local token says by having been issued for a subject.
       */
      acts_for: z.record(z.string().min(1), z.array(z.string().min(1)).min(1)).optional(),
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
        tokens: z.record(z.string().min(1), z.string().min(1)).optional(),
        /** In place of `tokens`: this bridge gets its own access token for this agent, and for no other. */
        oauth: hopOauth.optional(),
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
    .superRefine((agents, context) => {
      for (const [n, { tokens, oauth }] of agents.entries())
        if ((tokens === undefined) === (oauth === undefined))
          context.addIssue({ code: 'custom', path: [n], message: 'needs either tokens or oauth' });
    })
    .optional(),
});
export type A2aConfig = z.infer<typeof a2aConfig>;
export type RemoteAgentConfig = NonNullable<A2aConfig['agents']>[number];
