/** Composition root of the A2A side: what the bridge mounts and uses when its configuration has an `a2a` member. */
import { DefaultRequestHandler } from '@a2a-js/sdk/server';
import type { FastifyInstance } from 'fastify';
import { hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { ConsentIds } from '../dispatcher/consent-id.js';
import type { Dispatching } from '../dispatcher/dispatch.js';
import type { AppendRecord } from '../store/record.js';
import type { DecidedElsewhere } from '../mcp/announcements.js';
import type { Callers } from '../mcp/callers.js';
import { IssuerHttp } from '../oauth/issuer-http.js';
import { type CardOauth, agentCard } from './agent/agent-card.js';
import { BusPerRequest } from './agent/bus-per-request.js';
import { ConsentExecutor } from './agent/executor.js';
import { PushSender } from './agent/push-sender.js';
import { SqlitePushStore } from './agent/push-store.js';
import { Pursuits } from './agent/pursuits.js';
import { agentRoutes } from './agent/routes.js';
import { SqliteTaskStore } from './agent/task-store.js';
import type { A2aConfig } from './config.js';
import { openA2aDatabase } from './database.js';
import { Changes } from './host/changes.js';
import { decidedRemotely } from './host/decided.js';
import { agentConnections } from './host/guarded-fetch.js';
import { hopTokens } from './host/hop-tokens.js';
import { notificationRoute } from './host/notification-route.js';
import { RemoteAgent } from './host/remote-agent.js';
import { RemoteCalls } from './host/remote-calls.js';
import { RemoteStore } from './host/remote-store.js';
import { type ToolListing, listedTogether, routed } from './host/routing.js';
import { TrustedAgents, agentIdentity } from './signing/agent-keys.js';
import { signCard } from './signing/card-signature.js';

export interface A2aPorts {
  readonly dispatcher: Dispatching;
  readonly catalogue: ToolListing;
  readonly callers: Callers;
  /** Absent where no authorization server is configured. */
  readonly oauth: CardOauth | undefined;
  readonly gateKey: Buffer | undefined;
  readonly record: AppendRecord;
  readonly clock: () => number;
}

export interface A2a {
  /** Tells when what another agent asks is decided. */
  readonly elsewhere: DecidedElsewhere;
  /** This bridge's own tools and those of the other agents, and the dispatcher that knows both. */
  readonly dispatcher: Dispatching;
  readonly catalogue: ToolListing;
  routes(app: FastifyInstance): void;
  resume(): void;
  stopFollowing(): Promise<void>;
  /** Forgets what ended before `ms`. */
  sweep(ms: number): void;
  close(): Promise<void>;
}

/** @throws Error with one line when the key is missing, or there are agents and no gate key to derive ids from */
export async function openA2a(dataDir: string, config: A2aConfig, ports: A2aPorts): Promise<A2a> {
  const { gateKey, record, clock, callers, oauth } = ports;
  if (gateKey === undefined)
    throw new Error('config.json: a2a needs gate: ids are derived from its key');
  const db = openA2aDatabase(dataDir);
  const privateJwk = JSON.parse(readFileSync(join(dataDir, config.key_file), 'utf8')) as JWK;
  const identity = await agentIdentity(config.agent_id, privateJwk);
  const trusted = await TrustedAgents.load(config.trusted);

  const connections = agentConnections();
  const http = new IssuerHttp();
  const agents = (config.agents ?? []).map((agent) => {
    const tokens = hopTokens(agent, { dataDir, http, clock });
    return new RemoteAgent(agent, { tokens, trusted, connections, clock });
  });
  const remoteStore = new RemoteStore(db, clock);
  const changes = new Changes();
  const remote = new RemoteCalls(
    {
      ...{ agents, identity, trusted, record, clock },
      store: remoteStore,
      ids: new ConsentIds(gateKey),
      changes,
    },
    {
      key: Buffer.from(hkdfSync('sha256', gateKey, '', 'consent-bridge a2a-push', 32)),
      url: config.url,
    },
  );
  const dispatcher = routed(ports.dispatcher, remote);
  const catalogue = listedTogether(ports.catalogue, agents);

  const store = new SqliteTaskStore(db, clock);
  const pushStore = new SqlitePushStore(db, config.serve?.push_origins ?? []);
  const push = new PushSender(pushStore);
  const pursuits = new Pursuits({ dispatcher, store, callers, identity, push, record, clock });
  const actsFor = config.serve?.acts_for ?? {};
  const handler = new DefaultRequestHandler(
    agentCard(config, undefined, oauth),
    store,
    new ConsentExecutor({ store, pursuits, identity, trusted, actsFor, record, clock }),
    new BusPerRequest(pursuits),
    pushStore,
    // The pursuit itself notifies, once for each step and also when no request is open.
    { send: () => Promise.resolve() },
    async () => agentCard(config, await catalogue.list(), oauth),
    (card) => signCard(card, identity),
  );

  return {
    elsewhere: decidedRemotely(remoteStore, changes, clock),
    dispatcher,
    catalogue,
    routes: (app) => {
      notificationRoute(app, remote);
      if (config.serve !== undefined)
        agentRoutes(app, { handler, callers, legacy: config.serve.legacy === true });
    },
    resume: () => {
      if (config.serve !== undefined) pursuits.resume();
    },
    stopFollowing: async () => {
      remote.close();
      await pursuits.close();
    },
    sweep: (ms) => {
      store.sweep(ms);
      remoteStore.sweep(ms);
    },
    close: async () => {
      await Promise.all([connections.destroy(), http.close()]);
      db.close();
    },
  };
}
