/** Composition root of the bridge process: every part is constructed here and nowhere else. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { A2a } from './a2a/open-a2a.js';
import type { BridgeConfig } from './config.js';
import type { Caller } from './contract/wire.js';
import { KEEP_CONSENTS_S, openCore, reportError } from './core.js';
import type { Catalogue } from './dispatcher/catalogue.js';
import type { LegacyPorts } from './mcp/legacy-http.js';
import type { Callers } from './mcp/callers.js';
import { LegacySessions } from './mcp/legacy-session.js';
import { LaneListeners } from './mcp/lane-listeners.js';
import { Lanes } from './mcp/lanes.js';
import { ParkedRuns } from './mcp/parked-runs.js';
import { SurfaceWatch } from './mcp/surface-watch.js';
import { RequestIds } from './mcp/request-ids.js';
import { NO_SURFACE } from './mcp/server.js';
import { callStateCodec } from './mcp/request-state.js';
import { type Oauth, openOauth } from './oauth/open-oauth.js';
import type { ProtectedResource } from './oauth/protected-resource.js';
import type { TokenStore } from './store/tokens.js';
import { version } from './version.js';

export interface Bridge {
  readonly ports: LegacyPorts;
  readonly tokens: TokenStore;
  /** What takes the tokens of HTTP callers. */
  readonly callers: Callers;
  /** Absent where no authorization server is configured. */
  readonly resource: ProtectedResource | undefined;
  /** The A2A side, where the configuration has one. */
  readonly a2aRoutes: ((app: FastifyInstance) => void) | undefined;
  /** Goes on with what waited when the process stopped. Call once it listens. */
  resume(): void;
  /** Lets go of everything that waits for a person; it goes on at the next start. */
  stopFollowing(): Promise<void>;
  /** Ends every wait for a person: those calls answer that approval is still required. */
  stopWaiting(): void;
  close(): Promise<void>;
}

const SWEEP_EVERY_MS = 60_000;
/** A sealed request state outlives the approval a little, so that a late retry gets its real answer. */
const STATE_GRACE_S = 60;
const LONGEST_TTL_S = 600;

const OFFERS_NOTHING: Pick<Catalogue, 'list' | 'surface'> = {
  list: () => Promise.resolve([]),
  surface: () => Promise.resolve(NO_SURFACE),
};

/** @param callerOf how the caller of a request is known: from the access token on HTTP, fixed on stdio. */
export async function openBridge(
  dataDir: string,
  config: BridgeConfig,
  clock: () => number,
  callerOf: (ctx: ServerContext) => Caller,
): Promise<Bridge> {
  const core = await openCore(dataDir, config, clock);
  const { record, tokens, catalogue, dispatcher, rs, gateKey } = core;
  const offersNothing = config.allowlist.length === 0 && Object.keys(config.policy).length === 0;
  // Such a bridge only passes calls on; it need not have a resource server to ask.
  const listing = offersNothing ? OFFERS_NOTHING : catalogue;
  const local = { dispatcher, catalogue: listing };
  const oauth = openOauthSide();
  const callers = {
    local: config.oauth?.local_tokens === false ? undefined : tokens,
    oauth: oauth?.tokens,
  };
  const a2a = await openAgents();
  const announcements =
    a2a === undefined ? core.announcements : core.announcements.alsoOf(a2a.elsewhere);

  function openOauthSide(): Oauth | undefined {
    if (config.oauth === undefined) return undefined;
    const ofTools = Object.values(config.policy).flatMap(({ scopes }) => scopes);
    const ofAgents = (config.a2a?.agents ?? []).flatMap(({ scopes }) => scopes);
    return openOauth(config.oauth, [...ofTools, ...ofAgents], clock);
  }

  async function openAgents(): Promise<A2a | undefined> {
    if (config.a2a === undefined) return undefined;
    // Loaded only here: the SDK is as large as the rest of the process.
    const { openA2a } = await import('./a2a/open-a2a.js');
    const { authorization_servers: issuers = [], scopes_supported: scopes = [] } =
      oauth?.resource.metadata ?? {};
    const ports = { ...local, callers, oauth: { issuers, scopes } };
    return openA2a(dataDir, config.a2a, { ...ports, gateKey, record: record.append, clock });
  }

  const sweep = (): void => {
    a2a?.sweep(clock() - KEEP_CONSENTS_S * 1000);
    core.sweep();
  };
  sweep();
  const sweeper = setInterval(() => {
    try {
      sweep();
    } catch (error) {
      // A disk that is full or locked for a moment must not end the process; the next sweep does it.
      reportError(error);
    }
  }, SWEEP_EVERY_MS).unref();
  // Without a gate nothing has to outlive the process.
  const sealKey = gateKey ?? randomBytes(32);
  const parked = new ParkedRuns();
  const listeners = new LaneListeners(rs);
  const changes = new SurfaceWatch(rs, catalogue);
  if (!offersNothing) changes.start();
  const stopping = new AbortController();
  // Every waiting call listens.
  setMaxListeners(0, stopping.signal);

  return {
    tokens,
    callers,
    resource: oauth?.resource,
    a2aRoutes: a2a === undefined ? undefined : (app) => a2a.routes(app),
    resume: () => a2a?.resume(),
    stopFollowing: async () => a2a?.stopFollowing(),
    ports: {
      version,
      ...(a2a ?? local),
      catalogue: { list: () => (a2a ?? local).catalogue.list(), surface: () => listing.surface() },
      codec: callStateCodec(sealKey, LONGEST_TTL_S + STATE_GRACE_S, callerOf),
      ...{ parked, rs, lanes: new Lanes(), listeners, changes },
      fallback: config.fallback,
      waitSeconds: config.wait_seconds ?? 25,
      ttlSeconds: config.ttl_seconds,
      stopping: stopping.signal,
      sessions: new LegacySessions(sealKey),
      requestIds: new RequestIds(),
      announcements,
    },
    stopWaiting: () => {
      stopping.abort();
      parked.close();
      listeners.close();
      changes.close();
    },
    close: async () => {
      clearInterval(sweeper);
      announcements.close();
      changes.close();
      await Promise.all([a2a?.close(), oauth?.close()]);
      await core.close();
    },
  };
}
