/** Start to ready, and memory: idle, under a long run, and at rest after it; and what a sweep leaves of the used rows. */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { openDomainStores } from '../../dist/rs/store/domain-stores.js';
import { openVaultStore } from '../../dist/vault/store/vault-store.js';
import { drive, median } from './measure.mjs';
import { openOverHttp, startDomain } from './over-http.mjs';
import { createWorld } from './world.mjs';

const STARTS = 5;
const STEP = 2000;
const REST_MS = 10_000;
/** By then every row may go. */
const TWO_DAYS_MS = 48 * 3_600_000;

/** Milliseconds from spawn to the line that says ready, median, by domain. */
export async function starts(world) {
  const times = {};
  for (const domain of ['vault', 'rs']) {
    const measured = [];
    for (let i = 0; i < STARTS; i++) {
      const running = await startDomain(domain, world.dirs[domain]);
      measured.push(running.startMs);
      await running.stop();
    }
    times[domain] = median(measured);
  }
  return times;
}

/** Resident MiB by domain at each moment, and used rows before and after the stores are swept two days later. */
export async function longRun(executions) {
  const world = await createWorld();
  const http = await openOverHttp(world);
  const memory = () => Object.fromEntries(http.processes.map((p) => [p.domain, p.residentMiB()]));
  const samples = { idle: memory() };
  const marks = { tenth: 0.1, half: 0.5, end: 1 };
  for (let done = 0; done < executions;) {
    await drive(world.signedPayloads(STEP), 64, http.run);
    done += STEP;
    for (const [mark, share] of Object.entries(marks)) {
      if (done >= executions * share) samples[mark] ??= memory();
    }
  }
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  samples['at rest'] = memory();
  await http.close();
  const before = usedRows(world.dirs);
  await sweep(world.dirs);
  const after = usedRows(world.dirs);
  world.remove();
  return { executions, memory: samples, usedRows: { before, after } };
}

async function sweep(dirs) {
  const clock = () => Date.now() + TWO_DAYS_MS;
  const [vault, rs] = [openVaultStore(dirs.vault, clock), openDomainStores(dirs.rs, clock)];
  await Promise.all([vault.sweep(), rs.executions.sweep()]);
  for (const store of [vault, rs]) store.close();
}

function usedRows({ vault, rs }) {
  const count = (file, tables) => {
    const db = new SQLite(file, { readonly: true });
    const counts = tables.map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    db.close();
    return counts.reduce((sum, n) => sum + n, 0);
  };
  return {
    vault: count(join(vault, 'vault.db'), ['used_signature', 'observed_signature']),
    rs: count(join(rs, 'rs.db'), ['used', 'executions']),
  };
}
