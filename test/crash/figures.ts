/** The figures of a crash run, as lines for people. */
import type { Errand } from './errand.js';
import type { Kill } from './killer.js';

export interface Totals {
  readonly seed: number;
  readonly kills: readonly Kill[];
  readonly errands: readonly Errand[];
  readonly executed: number;
  readonly indeterminate: number;
  readonly said: readonly string[];
  readonly seconds: number;
  readonly violations: number;
}

export function figures(totals: Totals): string {
  const { kills, errands, said, seconds } = totals;
  const failpoints = said.flatMap((line) => {
    const [, domain, label] = /^([\w-]+): failpoint: (.*)$/.exec(line) ?? [];
    return domain === undefined ? [] : [`${domain} ${label ?? ''}`];
  });
  const signed = errands.filter((errand) => errand.signed).length;
  const lost = errands
    .flatMap(({ log }) => log)
    .filter((line) => line.includes('call: lost')).length;
  return [
    `seed ${totals.seed}: ${kills.length} runs in ${seconds.toFixed(0)} s (${(seconds / kills.length).toFixed(2)} s each)`,
    `killed: ${tally(kills.map(({ domain }) => domain))}`,
    `        ${tally(kills.map(({ how }) => how))}`,
    `failpoints hit: ${failpoints.length}, distinct: ${new Set(failpoints).size}`,
    `wishes: ${errands.length} (${tally(errands.map(({ wish }) => wish.plan))}), signed: ${signed}`,
    `answers lost on the way: ${lost}`,
    `executed: ${totals.executed}, of the signed ones indeterminate: ${totals.indeterminate}`,
    `violations: ${totals.violations}`,
    '',
  ].join('\n');
}

function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort()
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
