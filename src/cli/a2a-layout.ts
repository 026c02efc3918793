/** Directories, keys, tokens and configurations of a chain of agents on one machine. */
import type { JsonWebKey } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../contract/json.js';
import { type Configs, domainDir, readConfigs, readJson } from './data-directory.js';
import { generateJwk, publicJwk } from './jwk.js';
import { issueToken } from './operator.js';
import { freePorts } from './ports.js';

/** One agent of the chain. The last is the leaf, whose bridge is that of the stack and whose tools really run. */
export interface ChainAgent {
  readonly id: string;
  /** Directory that holds its `bridge/` data directory. */
  readonly data: string;
  /** Where it listens. */
  readonly url: string;
  /** Where others reach it; the same, unless somebody sits in between. */
  readonly publicUrl: string;
  readonly key: JsonWebKey;
}

export interface ChainOptions {
  /** Hops: 3 is A → B → C → D. */
  readonly depth: number;
  /** The person for whom all of them act. */
  readonly subject: string;
  /** Where others reach agent `n`, when not where it listens (`url`). */
  readonly publicUrl?: (n: number, url: string) => string;
  /** Last word on the configuration of agent `n`, its `a2a` member apart. */
  readonly amend?: (
    n: number,
    a2a: Record<string, unknown>,
    config: Record<string, unknown>,
  ) => void;
}

export const SCOPES = ['tasks.read', 'tasks.write'];
export const TOKEN_SECONDS = 3600;

/** Directories, keys and addresses. The leaf is the stack's own bridge. */
export async function layOut(
  data: string,
  { depth, publicUrl }: ChainOptions,
): Promise<ChainAgent[]> {
  const agents: ChainAgent[] = [];
  for (let n = 0; n <= depth; n += 1) {
    const id = `agent-${String.fromCharCode(97 + n)}`;
    const isLeaf = n === depth;
    const home = isLeaf ? data : join(data, 'agents', id);
    const dir = domainDir(home, 'bridge');
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const port = isLeaf ? readConfigs(data).bridge.listen.port : (await freePorts()).bridge;
    const url = `http://127.0.0.1:${port}`;
    const key = generateJwk('ES256');
    write(join(dir, 'agent.jwk'), key);
    if (!isLeaf) {
      write(join(dir, 'client.jwk'), generateJwk('ES256'));
      writeFileSync(join(dir, 'gate.key'), randomBytes(32).toString('base64url'), { mode: 0o600 });
    }
    agents.push({ id, data: home, url, publicUrl: publicUrl?.(n, url) ?? url, key });
  }
  return agents;
}

export async function configure(
  data: string,
  agents: readonly ChainAgent[],
  { subject, amend }: ChainOptions,
): Promise<void> {
  const configs = readConfigs(data);
  const leaf = must(agents.at(-1));
  const trusted = Object.fromEntries(agents.map(({ id, key }) => [id, publicJwk(key)]));
  for (const [n, agent] of agents.entries()) {
    const next = agents[n + 1];
    const dir = domainDir(agent.data, 'bridge');
    const a2a: Record<string, unknown> = {
      agent_id: agent.id,
      key_file: 'agent.jwk',
      url: agent.publicUrl,
      trusted,
      ...(n === 0 ? {} : { serve: { push_origins: agents.map(({ publicUrl }) => publicUrl) } }),
    };
    if (next !== undefined) {
      const name = nameOf(next.id);
      a2a['agents'] = [
        {
          name,
          agent_id: next.id,
          url: next.publicUrl,
          tokens: { [subject]: `${name}.token` },
          scopes: ['tasks.read'],
          consent_origins: [configs['consent-ui'].origin],
        },
      ];
    }
    const own = { ...(agent === leaf ? configs.bridge : relayConfig(configs, agent)) };
    amend?.(n, a2a, own);
    write(join(dir, 'config.json'), { ...own, a2a });
  }
  registerAsClients(data, agents);
  for (const [n, agent] of agents.entries()) {
    const next = agents[n + 1];
    if (next === undefined) continue;
    const request = { subject, clientId: agent.id, scopes: SCOPES, ttlSeconds: TOKEN_SECONDS };
    const { token } = await issueToken(next.data, request);
    writeFileSync(join(domainDir(agent.data, 'bridge'), `${nameOf(next.id)}.token`), token, {
      mode: 0o600,
    });
  }
}

/** An agent that only passes calls on. It has a resource server of its own in name, which is what its own approvals would be for. */
function relayConfig({ bridge }: Configs, { id, url }: ChainAgent): JsonObject {
  const { port } = new URL(url);
  return {
    ...(bridge as unknown as JsonObject),
    listen: { host: '127.0.0.1', port: Number(port) },
    rs: { url: bridge.rs.url, resource: `${url}/rs` },
    client: { client_id: id, private_jwk_file: 'client.jwk' },
    allowlist: [],
    policy: {},
  };
}

/** The leaf's bridge may mint for the leaf alone; every other agent is a client in its own right, for itself alone. */
function registerAsClients(data: string, agents: readonly ChainAgent[]): void {
  const leaf = must(agents.at(-1));
  const relays = agents.slice(0, -1).map(({ id, data: home, url }) => ({
    client_id: id,
    public_jwk: publicJwk(readJson(join(domainDir(home, 'bridge'), 'client.jwk')) as JsonWebKey),
    resource: `${url}/rs`,
  }));
  const clients = (role: string): object[] =>
    relays.map(({ client_id, public_jwk }) => ({ client_id, public_jwk, roles: [role] }));
  rewrite(data, 'vault', (vault) => ({
    audiences: [...(vault['audiences'] as string[]), ...relays.map(({ resource }) => resource)],
    clients: [
      ...(vault['clients'] as JsonObject[]).map((one) =>
        one['client_id'] === 'bridge' ? { ...one, agents: [leaf.id] } : one,
      ),
      ...relays.map(({ client_id, public_jwk }) => ({
        ...{ client_id, public_jwk, roles: ['mint'], agents: [client_id] },
      })),
    ],
  }));
  for (const [domain, role] of [
    ['rs', 'execute'],
    ['consent-ui', 'propose'],
  ] as const)
    rewrite(data, domain, (config) => ({
      clients: [...(config['clients'] as object[]), ...clients(role)],
    }));
}

function rewrite(
  data: string,
  domain: 'vault' | 'rs' | 'consent-ui',
  change: (config: Record<string, unknown>) => object,
): void {
  const file = join(domainDir(data, domain), 'config.json');
  const config = readJson(file) as Record<string, unknown>;
  write(file, { ...config, ...change(config) });
}

export function nameOf(id: string): string {
  return id.replace('agent-', '');
}

function write(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}

export function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the chain has no agents');
  return value;
}
