/** The two domains as the real processes they are, called through the bridge's own clients over HTTP on loopback. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ClientAssertion } from '../../dist/src/clients/client-assertion.js';
import { ResourceServerClient } from '../../dist/src/clients/rs-client.js';
import { ServiceClient } from '../../dist/src/clients/service-client.js';
import { HttpVault } from '../../dist/src/clients/vault-client.js';
import { TaskStore } from '../../dist/rs/actions/task-store.js';
import { CALLER, clock } from './world.mjs';
import { join } from 'node:path';

/** @returns `run(signed)`, which mints and executes, the processes, and `close`. */
export async function openOverHttp(world, nodeOptions = []) {
  seedTask(world.dirs.rs);
  const vault = await startDomain('vault', world.dirs.vault, nodeOptions);
  const rs = await startDomain('rs', world.dirs.rs, nodeOptions);
  const toVault = await connect(world, 'vault', vault.url, world.configs.vault.issuer);
  const toRs = await connect(world, 'rs', rs.url, world.configs.rs.resource);
  const http = new HttpVault(toVault, ({ payload }) => ({
    mintId: payload.nonce,
    subject: CALLER.subject,
  }));
  const executor = new ResourceServerClient(toRs);
  const run = async (signed) => {
    const { credential } = await http.mint(signed);
    const { cmd: command, args } = signed.payload;
    const outcome = await executor.execute({ command, args, caller: CALLER, credential, signed });
    if (outcome.jti === undefined) throw new Error('not executed as gated');
  };
  return {
    run,
    processes: [vault, rs],
    close: async () => {
      await Promise.all([toVault.close(), toRs.close()]);
      await Promise.all([vault.stop(), rs.stop()]);
    },
  };
}

function seedTask(directory) {
  const tasks = new TaskStore(join(directory, 'tasks.db'), clock);
  if (tasks.count() === 0) tasks.create('Write the release notes', 'Ask who changed what.');
  tasks.close();
}

async function connect({ clientJwk }, layer, url, audience) {
  const options = { clientId: 'bridge', audience, privateJwk: clientJwk, clock };
  return new ServiceClient({ url, layer, assertion: await ClientAssertion.create(options) });
}

/** Starts one domain; resolves once it says that it listens, with the milliseconds that took. */
export async function startDomain(domain, directory, nodeOptions = []) {
  const main = fileURLToPath(new URL(`../../dist/${domain}/main.js`, import.meta.url));
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, main, 'serve', '--data', directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void exited.then((code) => reject(new Error(`${domain} ended with ${code}`)));
  });
  return {
    domain,
    url: JSON.parse(line).url,
    startMs: performance.now() - began,
    /** MiB. */
    residentMiB: () => statusNumber(child.pid, /VmRSS:\s+(\d+) kB/) / 1024,
    /** CPU microseconds used since it started, all threads. */
    cpuMicros: () => cpuTicks(child.pid) * 10_000,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

function statusNumber(pid, pattern) {
  return Number(pattern.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** utime and stime of proc(5), in hundredths of a second. */
function cpuTicks(pid) {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(afterName[11]) + Number(afterName[12]);
}
