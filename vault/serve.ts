import { join } from 'node:path';
import { vaultApp } from './app.js';
import type { Clock } from './clock.js';
import { loadConfig } from './config.js';
import type { Log } from './http/problems.js';
import type { Random } from './random.js';
import { createVaultService } from './service.js';
import { openVaultStore } from './store/vault-store.js';
import { warnIfReadable } from './warn-if-readable.js';

const SWEEP_EVERY_MS = 60_000;

export interface RunningVault {
  /** Where it really listens, whatever port the configuration asked for. */
  readonly url: string;
  /** Answers what is under way, then closes the sockets and the store. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a vault on its data directory, listening, and sweeping now and every minute.
 * @throws Error with one line for the operator if the configuration is wrong or the port is taken.
 */
export async function startVault(
  directory: string,
  { clock, random, log }: { clock: Clock; random: Random; log: Log },
): Promise<RunningVault> {
  const config = loadConfig(directory);
  warnIfReadable([directory, join(directory, 'config.json'), join(directory, 'vault.db')], log);
  const store = openVaultStore(directory, clock);
  const app = vaultApp(createVaultService(config, store, { clock, random, log }));
  const url = await app.listen(config.listen);
  const sweep = () => {
    store.sweep().catch((error: unknown) => {
      log(`sweep: ${String(error)}`);
    });
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  const stop = async () => {
    clearInterval(timer);
    await app.close();
    store.close();
  };
  return { url, stop };
}
