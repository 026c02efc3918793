/** How things are measured: many short rounds, taken in turn with what they are compared with; medians of the quiet ones. */
import { readFileSync } from 'node:fs';

/** A round during which others used more than this share of all processors is not quiet. */
const QUIET = 0.1;

/**
 * Runs `work` on each input with `inFlight` at a time.
 * @returns calls per second, p50 and p99 in milliseconds, CPU microseconds per call of this process, and the share of
 *   all processors that others used meanwhile. `ours` gives CPU microseconds of further processes that are part of it.
 */
export async function drive(inputs, inFlight, work, ours = () => 0) {
  const latencies = [];
  let next = 0;
  const lane = async () => {
    while (next < inputs.length) {
      const input = inputs[next++];
      const began = performance.now();
      await work(input);
      latencies.push(performance.now() - began);
    }
  };
  const machine = machineTicks();
  const others = ours();
  const cpu = process.cpuUsage();
  const began = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const used = user + system + ours() - others;
  return {
    perSecond: inputs.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuMicros: used / inputs.length,
    foreign: foreignShare(machine, used),
  };
}

/** Like {@link drive} for work that does not wait, with its CPU time alone: other processes do not change that. */
export function repeat(count, work) {
  for (let i = 0; i < count / 10; i++) work(i);
  const cpu = process.cpuUsage();
  for (let i = 0; i < count; i++) work(i);
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / count;
}

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export function median(values) {
  return percentile(values, 0.5);
}

/** Medians of every member over the quiet rounds; over the three quietest if fewer than three were quiet. */
export function summary(rounds) {
  const quiet = rounds.filter(({ foreign }) => foreign <= QUIET);
  const quietest = [...rounds].sort((a, b) => a.foreign - b.foreign).slice(0, 3);
  const counted = quiet.length >= 3 ? quiet : quietest;
  const members = Object.keys(rounds[0]);
  return {
    ...Object.fromEntries(members.map((m) => [m, median(counted.map((round) => round[m]))])),
    quietRounds: quiet.length,
    rounds: rounds.length,
  };
}

/** `cpu` line of proc(5) stat, in hundredths of a second: busy ones, and all. */
function machineTicks() {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].split(/ +/).map(Number);
  const [user, nice, system, idle, iowait, irq, softirq, steal] = ticks;
  const busy = user + nice + system + irq + softirq;
  return { busy, all: busy + idle + iowait + steal };
}

function foreignShare(before, ownMicros) {
  const { busy, all } = machineTicks();
  if (all === before.all) return 0;
  return Math.max(0, (busy - before.busy - ownMicros / 10_000) / (all - before.all));
}
