/** A running stack: the four processes on one data directory, started here or found running. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Configs } from './data-directory.js';
import { readConfigs } from './data-directory.js';
import type { Overlay } from './gateway/overlay.js';
import { call } from './http.js';
import type { Ports } from './ports.js';
import { freePorts, isTaken, portsFrom } from './ports.js';
import { Processes } from './processes.js';
import { isProvisioned, portsOf, provision } from './provision.js';

export interface Stack {
  readonly data: string;
  readonly configs: Configs;
  /** True if the data directory did not exist before. */
  readonly fresh: boolean;
  /** Process id of the bridge, where it is known. */
  readonly bridgePid?: number;
  stop(): Promise<void>;
}

type OnDeath = (line: string) => void;

const DEFAULT_BASE = 8420;

/** Provisions what is missing and starts all four. Throws one plain line when they cannot run. */
export async function startStack(
  data: string,
  onDeath: OnDeath,
  portBase?: number,
  overlay?: Overlay,
): Promise<Stack> {
  if (await findStack(data))
    throw new Error(
      `${data} is in use by process ${runningOn(data)?.pid ?? '?'}; stop that one first`,
    );
  const fresh = !isProvisioned(data);
  const ports = fresh ? portsFrom(portBase ?? DEFAULT_BASE) : portsOf(data);
  if (portBase !== undefined && ports.bridge !== portBase)
    throw new Error(
      `${data} is set up for port ${ports.bridge} on; use another --data for another port base`,
    );
  await refuseTakenPorts(ports);
  provision(data, ports, overlay);
  return run(data, fresh, onDeath, () => Promise.resolve());
}

/** A stack on free ports and a fresh directory, which is deleted when it stops. */
export async function startTemporaryStack(onDeath: OnDeath): Promise<Stack> {
  const data = mkdtempSync(join(tmpdir(), 'consent-bridge-'));
  const remove = (): Promise<void> => {
    rmSync(data, { recursive: true, force: true });
    return Promise.resolve();
  };
  try {
    provision(data, await freePorts());
    return await run(data, true, onDeath, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The stack `bridge up` runs on this data directory, if it does. Stopping it from here does nothing. */
export async function findStack(data: string): Promise<Stack | undefined> {
  const running = runningOn(data);
  if (running === undefined || !isProvisioned(data)) return undefined;
  const configs = readConfigs(data);
  const { issuer } = configs.vault;
  const metadata = await call(`${issuer}/.well-known/oauth-authorization-server`).catch(
    () => undefined,
  );
  if ((metadata?.body as { issuer?: string } | undefined)?.issuer !== issuer) return undefined;
  const { bridge_pid: bridgePid } = running;
  return { data, configs, fresh: false, bridgePid, stop: () => Promise.resolve() };
}

const marker = z.strictObject({ pid: z.number(), bridge_pid: z.number() });

/** The process that says it runs this data directory, if it is alive. */
export function runningOn(data: string): z.infer<typeof marker> | undefined {
  try {
    const running = marker.parse(JSON.parse(readFileSync(markerFile(data), 'utf8')));
    process.kill(running.pid, 0);
    return running;
  } catch {
    return undefined;
  }
}

async function run(
  data: string,
  fresh: boolean,
  onDeath: OnDeath,
  after: () => Promise<void>,
): Promise<Stack> {
  const processes = await Processes.start(data, onDeath);
  const bridgePid = processes.pidOf('bridge');
  const running = { pid: process.pid, bridge_pid: bridgePid };
  writeFileSync(markerFile(data), JSON.stringify(running), { mode: 0o600 });
  const stop = async (): Promise<void> => {
    await processes.stop();
    rmSync(markerFile(data), { force: true });
    await after();
  };
  return { data, configs: readConfigs(data), fresh, bridgePid, stop };
}

async function refuseTakenPorts(ports: Ports): Promise<void> {
  for (const [domain, port] of Object.entries(ports)) {
    if (await isTaken(port))
      throw new Error(
        `port ${port} (${domain}) is in use by another program; stop it, or use --port-base with another --data`,
      );
  }
}

function markerFile(data: string): string {
  return join(data, 'up.json');
}
