/** Composition root of the bridge process: every part is constructed here and nowhere else. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JWK } from 'jose';
import type { A2a } from './a2a/open-a2a.js';
import { ClientAssertion } from './clients/client-assertion.js';
import { ConsentClient } from './clients/consent-client.js';
import { ResourceServerClient } from './clients/rs-client.js';
import { ServiceClient } from './clients/service-client.js';
import { HttpVault } from './clients/vault-client.js';
import type { BridgeConfig } from './config.js';
import type { Layer } from './contract/errors.js';
import type { Caller } from './contract/wire.js';
import { Catalogue } from './dispatcher/catalogue.js';
import { ConsentIds } from './dispatcher/consent-id.js';
import { Dispatcher } from './dispatcher/dispatch.js';
import { Gate } from './dispatcher/gate.js';
import { NewConsentRate } from './dispatcher/limits.js';
import { Announcements } from './mcp/announcements.js';
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
import { ConsentStore } from './store/consents.js';
import { openDatabase } from './store/database.js';
import { type BridgeRecord, bridgeRecord } from './store/record.js';
import { TokenStore } from './store/tokens.js';
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

export interface BridgeStores {
  readonly db: Database.Database;
  readonly record: BridgeRecord;
  readonly tokens: TokenStore;
}

const SWEEP_EVERY_MS = 60_000;
/** Settled consents are kept this long past their deadline: twice as long as the consent page keeps its own. */
const KEEP_CONSENTS_S = 48 * 3600;
const KEEP_RECORD_MS = 400 * 24 * 3600 * 1000;
/** A sealed request state outlives the approval a little, so that a late retry gets its real answer. */
const STATE_GRACE_S = 60;
const LONGEST_TTL_S = 600;

const OFFERS_NOTHING: Pick<Catalogue, 'list' | 'surface'> = {
  list: () => Promise.resolve([]),
  surface: () => Promise.resolve(NO_SURFACE),
};

export function openStores(dataDir: string, clock: () => number): BridgeStores {
  const db = openDatabase(join(dataDir, 'bridge.db'));
  const record = bridgeRecord(db, clock);
  return { db, record, tokens: new TokenStore(db, record.append, clock) };
}

/** @param callerOf how the caller of a request is known: from the access token on HTTP, fixed on stdio. */
export async function openBridge(
  dataDir: string,
  config: BridgeConfig,
  clock: () => number,
  callerOf: (ctx: ServerContext) => Caller,
): Promise<Bridge> {
  const { db, record, tokens } = openStores(dataDir, clock);
  const privateJwk = JSON.parse(
    readFileSync(join(dataDir, config.client.private_jwk_file), 'utf8'),
  ) as JWK;
  const service = async (url: string, audience: string, layer: Layer): Promise<ServiceClient> =>
    new ServiceClient({
      url,
      layer,
      assertion: await ClientAssertion.create({
        clientId: config.client.client_id,
        audience,
        privateJwk,
        clock,
      }),
    });
  const services = {
    vault: await service(config.vault.url, config.vault.issuer, 'vault'),
    rs: await service(config.rs.url, config.rs.resource, 'rs'),
    page: await service(config.consent_ui.url, config.consent_ui.origin, 'consent-ui'),
  };

  const gateKey =
    config.gate === undefined ? undefined : readKey(join(dataDir, config.gate.key_file));
  const consents = new ConsentStore(db, record.append);
  const rate = new NewConsentRate(clock);
  const page = new ConsentClient(services.page);
  const rs = new ResourceServerClient(services.rs);
  const surface = {
    policy: config.policy,
    allowlist: config.allowlist,
    gateWired: gateKey !== undefined,
  };
  const catalogue = new Catalogue(rs, surface, clock);
  const gate = gateKey === undefined ? undefined : openGate(gateKey);
  const announcements = new Announcements(gate === undefined ? undefined : page, clock);

  function openGate(key: Buffer): Gate {
    const ids = new ConsentIds(key);
    const vault = new HttpVault(services.vault, ({ payload }) => {
      const consent = 'nonce' in payload ? consents.byId(payload.nonce) : undefined;
      return { mintId: ids.mint(consent?.id ?? ''), subject: consent?.subject ?? '' };
    });
    const terms = {
      rarType: config.rar_type,
      audience: config.rs.resource,
      ttlSeconds: config.ttl_seconds,
    };
    const pageOrigin = config.consent_ui.origin;
    return new Gate({ store: consents, ids, rate, page, vault, terms, pageOrigin, clock });
  }

  const dispatcher = new Dispatcher({ catalogue, gate, rs, record: record.append, reportError });
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
    consents.sweep(Math.floor(clock() / 1000) - KEEP_CONSENTS_S);
    tokens.sweep();
    record.sweep(clock() - KEEP_RECORD_MS);
    rate.sweep();
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
      await Promise.all(Object.values(services).map((client) => client.close()));
      db.close();
    },
  };
}

function reportError(error: unknown): void {
  process.stderr.write(
    `bridge: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}

/** 32 octets, stored as one line of base64url. */
function readKey(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  if (key.length !== 32) throw new Error(`${file} must hold 32 octets in base64url`);
  return key;
}
