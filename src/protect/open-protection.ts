/** Everything a protected server stands on: vault and consent page as processes, gate and resource server in this one. */
import { readConfig } from '../../rs/config.js';
import { newJti } from '../../rs/new-jti.js';
import { type OpenedResourceServer, openResourceServer } from '../../rs/open-resource-server.js';
import { asRule, compileRules } from '../cli/gateway/compile.js';
import { domainDir } from '../cli/data-directory.js';
import { portsFrom } from '../cli/ports.js';
import { Processes } from '../cli/processes.js';
import { isProvisioned, portsOf, provision } from '../cli/provision.js';
import { loadConfig } from '../config.js';
import type { Actions } from '../../rs/actions/actions.js';
import type { ToolDefinition } from '../contract/wire.js';
import { type Core, openCore } from '../core.js';
import { inProcess } from './in-process-rs.js';
import type { ProtectOptions } from './options.js';

export interface Protection {
  readonly core: Core;
  readonly ttlSeconds: number;
  readonly close: () => Promise<void>;
}

const SWEEP_EVERY_MS = 60_000;
const DEFAULT_BASE = 8420;
const clock = (): number => Date.now();

/** @throws Error in one line when the data directory is in use or a port is taken */
export async function openProtection(
  { data, tools, portBase = DEFAULT_BASE }: Pick<ProtectOptions, 'data' | 'tools' | 'portBase'>,
  actions: Actions & { readonly definitions: readonly ToolDefinition[] },
): Promise<Protection> {
  const rules = Object.entries(tools).map(([tool, rule]) => [tool, asRule(rule)] as const);
  const { approvers, commands, policy } = compileRules(rules, undefined);
  const ports = isProvisioned(data) ? portsOf(data) : portsFrom(portBase);
  provision(data, ports, () => ({
    vault: { policy: approvers },
    rs: { policy: approvers, commands, example_tasks: false },
    bridge: { policy, allowlist: ['*'] },
  }));
  const processes = await Processes.start(data, complain, ['vault', 'consent-ui']);
  try {
    const opened = await openOwn(data, actions);
    const config = loadConfig(domainDir(data, 'bridge'));
    const service = config.client.client_id;
    const own = inProcess(opened, () => actions.definitions, service);
    const core = await openCore(domainDir(data, 'bridge'), config, clock, own);
    core.sweep();
    const sweeper = setInterval(() => core.sweep(), SWEEP_EVERY_MS).unref();
    return {
      core,
      ttlSeconds: config.ttl_seconds,
      close: async () => {
        clearInterval(sweeper);
        await core.close();
        await opened.close();
        await processes.stop();
      },
    };
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

function openOwn(data: string, actions: Actions): Promise<OpenedResourceServer> {
  const dataDir = domainDir(data, 'rs');
  const config = readConfig(dataDir);
  return openResourceServer(
    config,
    { dataDir, clock, newJti: () => newJti(clock()), reportError: complain },
    () => actions,
  );
}

function complain(error: unknown): void {
  process.stderr.write(
    `consent-bridge: ${error instanceof Error ? error.message : String(error)}\n`,
  );
}
