/** What every call goes through, whatever protocol it came by: stores, clients, catalogue, gate and dispatcher. */
import type Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { ClientAssertion } from './clients/client-assertion.js';
import { ConsentClient } from './clients/consent-client.js';
import { ResourceServerClient, type ResourceServerPort } from './clients/rs-client.js';
import { ServiceClient } from './clients/service-client.js';
import { HttpVault } from './clients/vault-client.js';
import type { BridgeConfig } from './config.js';
import type { Layer } from './contract/errors.js';
import { Catalogue } from './dispatcher/catalogue.js';
import { ConsentIds } from './dispatcher/consent-id.js';
import { Dispatcher } from './dispatcher/dispatch.js';
import { Gate } from './dispatcher/gate.js';
import { NewConsentRate } from './dispatcher/limits.js';
import { Announcements } from './mcp/announcements.js';
import { ConsentStore } from './store/consents.js';
import { openDatabase } from './store/database.js';
import { type BridgeRecord, bridgeRecord } from './store/record.js';
import { TokenStore } from './store/tokens.js';

export interface Stores {
  readonly db: Database.Database;
  readonly record: BridgeRecord;
  readonly tokens: TokenStore;
}

export interface Core {
  readonly record: BridgeRecord;
  readonly tokens: TokenStore;
  readonly catalogue: Catalogue;
  readonly dispatcher: Dispatcher;
  readonly rs: ResourceServerPort;
  /** 32 octets; undefined where no gate is wired. */
  readonly gateKey: Buffer | undefined;
  readonly announcements: Announcements;
  /** Removes what is over. */
  sweep(): void;
  close(): Promise<void>;
}

/** Settled consents are kept this long past their deadline: twice as long as the consent page keeps its own. */
export const KEEP_CONSENTS_S = 48 * 3600;
const KEEP_RECORD_MS = 400 * 24 * 3600 * 1000;

export function openStores(dataDir: string, clock: () => number): Stores {
  const db = openDatabase(join(dataDir, 'bridge.db'));
  const record = bridgeRecord(db, clock);
  return { db, record, tokens: new TokenStore(db, record.append, clock) };
}

/** @param own a resource server in this process, instead of the one the configuration names */
export async function openCore(
  dataDir: string,
  config: BridgeConfig,
  clock: () => number,
  own?: ResourceServerPort,
): Promise<Core> {
  const { db, record, tokens } = openStores(dataDir, clock);
  const services = await openServices(dataDir, config, clock);
  const gateKey =
    config.gate === undefined ? undefined : readKey(join(dataDir, config.gate.key_file));
  const consents = new ConsentStore(db, record.append);
  const rate = new NewConsentRate(clock);
  const page = new ConsentClient(services.page);
  const rs = own ?? new ResourceServerClient(services.rs);
  const { policy, allowlist } = config;
  const catalogue = new Catalogue(
    rs,
    { policy, allowlist, gateWired: gateKey !== undefined },
    clock,
  );
  const gate = gateKey === undefined ? undefined : openGate(gateKey);

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

  return {
    ...{ record, tokens, catalogue, rs, gateKey },
    dispatcher: new Dispatcher({ catalogue, gate, rs, record: record.append, reportError }),
    announcements: new Announcements(gate === undefined ? undefined : page, clock),
    sweep: () => {
      consents.sweep(Math.floor(clock() / 1000) - KEEP_CONSENTS_S);
      tokens.sweep();
      record.sweep(clock() - KEEP_RECORD_MS);
      rate.sweep();
    },
    close: async () => {
      await Promise.all(Object.values(services).map((client) => client.close()));
      db.close();
    },
  };
}

async function openServices(
  dataDir: string,
  config: BridgeConfig,
  clock: () => number,
): Promise<Record<'vault' | 'rs' | 'page', ServiceClient>> {
  const { client_id: clientId, private_jwk_file } = config.client;
  const privateJwk = JSON.parse(readFileSync(join(dataDir, private_jwk_file), 'utf8')) as JWK;
  const service = async (url: string, audience: string, layer: Layer): Promise<ServiceClient> => {
    const assertion = await ClientAssertion.create({ clientId, audience, privateJwk, clock });
    return new ServiceClient({ url, layer, assertion });
  };
  return {
    vault: await service(config.vault.url, config.vault.issuer, 'vault'),
    rs: await service(config.rs.url, config.rs.resource, 'rs'),
    page: await service(config.consent_ui.url, config.consent_ui.origin, 'consent-ui'),
  };
}

export function reportError(error: unknown): void {
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
