/** A chain of agents that call each other with access tokens of an authorization server, each hop with its own. */
import { A2aWorld } from './a2a-world.js';
import { AuthorizationServer } from './authorization-server.js';

export const SUBJECT = 'alice@example.com';
const SCOPES = ['tasks.read', 'tasks.write'];

interface Agent {
  readonly agent_id: string;
  readonly url: string;
  readonly trusted: Readonly<Record<string, object>>;
  readonly serve?: object;
  readonly agents?: readonly { readonly url: string; readonly tokens?: object }[];
}

export interface OauthChain {
  readonly world: A2aWorld;
  readonly issuer: AuthorizationServer;
  /** The audience of each agent, the first one first. */
  readonly resources: readonly string[];
  close(): Promise<void>;
}

/** @param amend last word on the `a2a` member of agent `n` */
export async function oauthChain(
  depth: number,
  { accessTokenSeconds = 300, amend }: ChainSettings = {},
): Promise<OauthChain> {
  const issuer = await AuthorizationServer.start([], { accessTokenSeconds });
  const { issuer: iss } = issuer;
  const resources: string[] = [];
  const ids: string[] = [];
  let keys: Agent['trusted'] = {};
  const world = await A2aWorld.open(depth, (n, a2a, config) => {
    const { agent_id, url, trusted, serve, agents = [] } = a2a as unknown as Agent;
    keys = trusted;
    ids[n] = agent_id;
    resources[n] = `${url}/mcp`;
    config['oauth'] = { resource: resources[n], issuers: [{ issuer: iss }] };
    if (serve !== undefined) a2a['serve'] = { ...serve, acts_for: { [ids[n - 1]!]: [SUBJECT] } };
    a2a['agents'] = agents.map((agent) => ({
      ...agent,
      tokens: undefined,
      oauth: {
        ...{ issuer: iss, client_id: agent_id, private_jwk_file: 'agent.jwk' },
        ...{ resource: `${agent.url}/mcp`, scopes: SCOPES, subjects: [SUBJECT] },
      },
    }));
    amend?.(n, a2a);
  });
  // An agent's own key is its client key, too.
  await issuer.register(
    ids.map((client_id) => ({
      client_id,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      scope: SCOPES.join(' '),
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      id_token_signed_response_alg: 'ES256',
      jwks: { keys: [keys[client_id]] },
    })),
  );
  return {
    ...{ world, issuer, resources },
    close: async () => {
      await world.close();
      await issuer.stop();
    },
  };
}

interface ChainSettings {
  readonly accessTokenSeconds?: number;
  readonly amend?: (n: number, a2a: Record<string, unknown>) => void;
}

/** The access tokens that went over each wire, each once. */
export function tokensOf(world: A2aWorld): string[][] {
  return world.wires.map(({ passed }) => [
    ...new Set(passed.flatMap(({ authorization }) => authorization?.replace('Bearer ', '') ?? [])),
  ]);
}

/** What a token says. */
export function claimsOf(token: string): Record<string, unknown> {
  const [, body = ''] = token.split('.');
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Record<string, unknown>;
}
