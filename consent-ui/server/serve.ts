import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildApp } from './app.js';
import { loadAssets } from './assets.js';
import { ClientAssertion } from './client-assertion.js';
import { loadClientKey, loadConfig, warnIfShared } from './config.js';
import { Consents } from './consents.js';
import { limitsOf } from './limits.js';
import { OidcAttempts } from './oidc-attempts.js';
import type { OidcClient } from './oidc-client.js';
import { packageRoot } from './package-root.js';
import { ConsentUiRecord } from './record.js';
import { Sessions } from './sessions.js';
import { ConsentStore } from './store/consent-store.js';
import { openDatabase } from './store/database.js';
import { SessionStore } from './store/session-store.js';
import { HttpVault } from './vault-client.js';
import { Waiters } from './waiters.js';

const EXPIRY_SWEEP_MS = 1000;
const SLOW_SWEEP_MS = 600_000;

export const DATABASE_FILE = 'consent-ui.sqlite';

/**
 * Runs the consent page on one data directory until it is told to stop: reads the configuration, opens the store, listens.
 * @returns where it listens, and how to stop it: running requests end first
 * @throws ConfigError when the configuration, a key or the built scripts are not usable
 */
export async function serve(dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const config = loadConfig(dataDir);
  for (const path of [dataDir, join(dataDir, 'config.json')]) warnIfShared(path);
  const clock = Date.now;
  const random = randomBytes;
  const db = openDatabase(join(dataDir, DATABASE_FILE));
  const record = new ConsentUiRecord(db, clock);
  const assertion = new ClientAssertion({
    clientId: config.client.client_id,
    key: loadClientKey(dataDir, config),
    audience: config.vault.issuer,
    clock,
    random,
  });
  const vault = new HttpVault({ url: config.vault.url, origin: config.origin, assertion });
  const sessionStore = new SessionStore(db);
  const sessions = new Sessions({
    store: sessionStore,
    clock,
    random,
    ttlSeconds: config.session_ttl_seconds,
  });
  const consents = new Consents({
    store: new ConsentStore(db, record),
    waiters: new Waiters(),
    clock,
    examine: (signed) => vault.examine(signed),
  });
  const assets = loadAssets(packageRoot());
  const limits = limitsOf(config.limits);
  const oidc =
    config.oidc === undefined
      ? undefined
      : {
          client: await oidcClient(dataDir, config.oidc, config.origin),
          attempts: new OidcAttempts(clock, random),
        };
  const parts = { config, consents, sessions, vault, record, assets, clock, limits };
  const app = await buildApp({ ...parts, oidc });

  const sweepRarely = (): void => {
    sessionStore.sweep(Math.floor(clock() / 1000));
    record.sweep();
  };
  consents.sweep();
  sweepRarely();
  const timers = [
    setInterval(
      unfailing(() => consents.sweep()),
      EXPIRY_SWEEP_MS,
    ).unref(),
    setInterval(unfailing(sweepRarely), SLOW_SWEEP_MS).unref(),
  ];

  await app.listen(config.listen);
  const { port } = app.server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    await app.close();
    await vault.close();
    await oidc?.client.close();
    db.close();
  };
  return { url: `http://${config.listen.host}:${port}`, stop };
}

/** Loaded only here: most pages have no use for the library. */
async function oidcClient(...of: ConstructorParameters<typeof OidcClient>): Promise<OidcClient> {
  const { OidcClient: Client } = await import('./oidc-client.js');
  return new Client(...of);
}

/** A disk that is full or locked for a moment must not end the process; the next sweep does it. */
function unfailing(sweep: () => void): () => void {
  return () => {
    try {
      sweep();
    } catch (error) {
      process.stderr.write(`consent-ui: sweep: ${String(error)}\n`);
    }
  };
}
