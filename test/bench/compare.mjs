/** One round after the other, each of everything that is compared: what disturbs one of them disturbs its neighbours. */
import { bareRound } from './bare-crypto.mjs';
import { openBareStore } from './bare-commits.mjs';
import { openGuard } from './guard.mjs';
import { openInProcess } from './in-process.mjs';
import { drive, summary } from './measure.mjs';
import { openOverHttp } from './over-http.mjs';
import { createWorld } from './world.mjs';

/** Calls of one round by how many are in flight; a few tenths of a second each. */
const CALLS = { 64: 1000, 16: 600, 1: 150 };
const LEVELS = [64, 16, 1];

/** @returns the summary of each series over the rounds; `guard…` only where the package is installed. */
export async function compare(rounds, say) {
  const [world, httpWorld] = [await createWorld(), await createWorld()];
  const inProcess = await openInProcess(world);
  const http = await openOverHttp(httpWorld);
  const store = openBareStore(world.dirs.vault);
  const guard = await openGuard(world.dirs.rs);
  const ofProcesses = () => http.processes.reduce((sum, p) => sum + p.cpuMicros(), 0);

  const series = {
    bare64: () => bareRound(64, CALLS[64]),
    bare1: () => bareRound(1, CALLS[1]),
    commitAlone: () => store.alone(150),
    commitGrouped: () => store.grouped(50),
    ...(guard && { guard: () => guard.inMemory(500), guardDurable: () => guard.durable(300) }),
  };
  for (const inFlight of LEVELS) {
    const calls = CALLS[inFlight];
    series[`inProcess${inFlight}`] = () =>
      drive(world.signedPayloads(calls), inFlight, inProcess.run);
    series[`http${inFlight}`] = () =>
      drive(httpWorld.signedPayloads(calls), inFlight, http.run, ofProcesses);
  }

  const results = Object.fromEntries(Object.keys(series).map((name) => [name, []]));
  // Two rounds only warm up: code is compiled, files have their pages.
  for (let round = -2; round < rounds; round++) {
    for (const [name, measure] of Object.entries(series)) {
      const result = await measure();
      if (round >= 0) results[name].push(result);
    }
    if (round >= 0) say(`  round ${round + 1} of ${rounds}`);
  }

  store.close();
  guard?.close();
  await inProcess.close();
  await http.close();
  for (const each of [world, httpWorld]) each.remove();
  return Object.fromEntries(Object.entries(results).map(([name, all]) => [name, summary(all)]));
}
